import { useState } from 'preact/hooks'
import { api, cache } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Copy, errorText } from '../../ui/states.tsx'
import { keyOf } from './webhook-words.ts'

interface SecretDialogProps {
  /** Null: a repeated request, whose first answer was lost with it. */
  secret: string | null
  /** Until when the former one signs, too. */
  until: Date | null
  onKept(): void
}

/** Shows a secret once; only its reader's word closes it. */
export function SecretDialog({ secret, until, onKept }: SecretDialogProps) {
  const t = texts()
  const own = webhooksTexts().secret
  return (
    <Dialog title={own.title}>
      <div class="form">
        {secret === null ? (
          <Notice kind="error" text={own.lost} />
        ) : (
          <>
            <p>{own.lead}</p>
            <p>
              {own.label}: <code class="breaks">{secret}</code> <Copy text={secret} />
            </p>
          </>
        )}
        {until !== null && <p class="note">{own.until(until)}</p>}
        <div class="row end">
          <Button kind="primary" onClick={onKept}>
            {secret === null ? t.app.close : own.kept}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Says what a change of the secret does, makes it, and shows the new one. */
export function RotateDialog({ id, onClose }: { id: string; onClose(): void }) {
  const t = texts()
  const own = webhooksTexts().secret
  const [rotated, setRotated] = useState<{ secret: string; until: Date } | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    const answer = await api.post('/api/v1/webhooks/{id}/segredo', { params: { id } })
    void cache.invalidateQueries({ queryKey: keyOf(id) })
    setRotated({ secret: answer.secret, until: new Date(answer.segredo_anterior_ate) })
  })
  if (rotated !== null) return <SecretDialog {...rotated} onKept={onClose} />
  return (
    <Dialog title={own.rotateTitle} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{own.rotateNote}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {own.rotate}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
