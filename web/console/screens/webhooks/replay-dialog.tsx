import { useId, useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { api, cache } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { keyOf } from './webhook-words.ts'

/** Delivers again all since a moment: counts first, and delivers what was counted only after another word. */
export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose(): void }) {
  const t = texts()
  const own = webhooksTexts().replay
  const id = useId()
  const [since, setSince] = useState('')
  const [isTried, setTried] = useState(false)
  const [counted, setCounted] = useState<number | null>(null)
  const [queued, setQueued] = useState<number | null>(null)
  const ask = async (simular: boolean) => {
    const body = { desde: new Date(since).toISOString(), simular }
    return (await api.post('/api/v1/webhooks/{id}/reenviar', { params: { id: webhookId }, body })).total
  }
  const sending = useSending(async () => {
    setTried(true)
    if (since === '') return focusFirstProblem(sending.form.current)
    if (counted === null) return setCounted(await ask(true))
    setQueued(await ask(false))
    void cache.invalidateQueries({ queryKey: keyOf(webhookId) })
  })
  const { error } = sending
  const refused = error instanceof ApiError ? error.of('desde') : undefined
  const problem = isTried && since === '' ? own.missing : refused
  const isOver = queued !== null || counted === 0
  return (
    <Dialog title={own.title} onClose={onClose}>
      <form class="form" ref={sending.form} onSubmit={sending.submit} noValidate>
        {error !== null && refused === undefined && <Notice kind="error" text={errorText(error)} />}
        <p>{own.lead}</p>
        <div class="field">
          <label for={id}>{own.since}</label>
          <input
            id={id}
            type="datetime-local"
            class="input"
            value={since}
            readOnly={queued !== null}
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            onInput={(event) => {
              setSince(event.currentTarget.value)
              setCounted(null)
            }}
          />
          {problem !== undefined && (
            <p class="problem" id={`${id}-problem`}>
              {problem}
            </p>
          )}
        </div>
        {queued !== null ? (
          <Notice kind="done" text={own.done(queued)} />
        ) : (
          counted !== null && <Notice kind="info" text={own.counted(counted)} />
        )}
        <div class="row">
          <Button onClick={onClose}>{isOver ? t.app.close : t.app.cancel}</Button>
          {!isOver && (
            <Button type="submit" kind="primary" aria-disabled={sending.isSending}>
              {counted === null ? own.count : own.confirm}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
