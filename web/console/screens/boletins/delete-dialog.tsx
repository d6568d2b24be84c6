import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'

/** Asks before a bulletin is deleted: links to its document end with it. */
export default function DeleteDialog({ id, onClose }: { id: number; onClose(): void }) {
  const t = texts()
  const own = boletinsTexts()
  const { route } = useLocation()
  const { form, isSending, error, submit } = useSending(async () => {
    await api.delete('/api/v1/agravos/boletins/{id}', { params: { id } })
    cache.removeQueries({ queryKey: ['boletins', id] })
    void cache.invalidateQueries({ queryKey: ['boletins'] })
    route(PATHS.boletins)
  })
  return (
    <Dialog title={own.removeTitle} onClose={onClose}>
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
