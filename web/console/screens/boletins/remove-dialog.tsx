import { api } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import type { Agenda } from './agenda-data.ts'

interface RemoveDialogProps {
  agenda: Agenda
  onClose(): void
  onDone(): void
}

/** Asks before a schedule is removed; the bulletins it made stay. */
export function RemoveDialog({ agenda: { id, nome }, onClose, onDone }: RemoveDialogProps) {
  const t = texts()
  const own = boletinsTexts().agendas
  const { form, isSending, error, submit } = useSending(async () => {
    await api.delete('/api/v1/agravos/agendas/{id}', { params: { id } })
    onDone()
  })
  return (
    <Dialog title={own.removeTitle(nome)} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{own.removeNote}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {own.remove}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
