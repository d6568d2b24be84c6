import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { onPresent, presentText } from '../../ui/present.ts'
import { type AgendaAberta, openAgenda, refreshAgendas } from './agenda-data.ts'

interface RemoveDialogProps {
  agenda: AgendaAberta
  onClose(): void
  onDone(): void
}

/** Asks before a schedule is removed; the bulletins it made stay. */
export function RemoveDialog({ agenda, onClose, onDone }: RemoveDialogProps) {
  /** Read again where somebody changed it. */
  const [{ id, nome, etag }, setPresent] = useState(agenda)
  const t = texts()
  const own = boletinsTexts().agendas
  const { form, isSending, error, submit } = useSending(async () => {
    const removed = api.delete('/api/v1/agravos/agendas/{id}', { params: { id } }, { ifMatch: etag })
    await onPresent(removed, async () => {
      setPresent(await openAgenda(id))
      await refreshAgendas()
    })
    onDone()
  })
  return (
    <Dialog title={own.removeTitle(nome)} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={presentText(error)} />}
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
