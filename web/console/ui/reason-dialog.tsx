import { useId, useState } from 'preact/hooks'
import { ApiError } from '../api/errors.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useSending } from './form.ts'
import { Notice } from './notice.tsx'
import { Refusal } from './refusal.tsx'

const MAX_MOTIVO = 500

interface ReasonDialogProps {
  title: string
  note: string
  action: string
  /** Said where somebody changed the record meanwhile. */
  conflict: string
  send(motivo: string): Promise<void>
  onClose(): void
}

/** Deletes a record with its reason. */
export function ReasonDialog({ title, note, action, conflict, send, onClose }: ReasonDialogProps) {
  const t = texts()
  const id = useId()
  const [motivo, setMotivo] = useState('')
  const [isTried, setTried] = useState(false)
  const isMissing = motivo.trim() === ''
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (!isMissing) await send(motivo.trim())
  })
  const isConflict = error instanceof ApiError && error.status === 409
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {isConflict ? <Notice kind="error" text={conflict} /> : error !== null && <Refusal error={error} />}
        <p>{note}</p>
        <div class="field">
          <label for={id}>{t.caso.reasonLabel}</label>
          <textarea
            id={id}
            class="input"
            rows={3}
            maxLength={MAX_MOTIVO}
            value={motivo}
            aria-invalid={isTried && isMissing}
            aria-describedby={isTried && isMissing ? `${id}-problem` : undefined}
            onInput={(event) => setMotivo(event.currentTarget.value)}
          />
          {isTried && isMissing && (
            <p class="problem" id={`${id}-problem`}>
              {t.caso.reasonMissing}
            </p>
          )}
        </div>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
