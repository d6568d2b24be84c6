import { useId, useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { api } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import type { Decisao, Par } from './par.ts'

const MAX_MOTIVE = 500

interface DecideDialogProps {
  par: Par
  decisao: Decisao
  onDone(): void
  onReload(): void
  onClose(): void
}

/** A decision that leaves both cases as they are. */
export function DecideDialog({ par, decisao, onDone, onReload, onClose }: DecideDialogProps) {
  const t = texts()
  const own = duplicidadesTexts()
  const [motivo, setMotivo] = useState('')
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const { form, isSending, error, submit } = useSending(async () => {
    await api.post(
      '/api/v1/agravos/duplicidades/{id}/decidir',
      { params: { id: par.id }, query: { simular: false }, body: { decisao, ...motivoOf(motivo) } },
      { ifMatch: par.etag, idempotencyKey },
    )
    onDone()
  })
  return (
    <Dialog title={decisao === 'outra_pessoa' ? own.otherPerson : own.otherEpisode} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        <Refusal error={error} onReload={onReload} />
        <p>{own.confirm[decisao]}</p>
        <Motive value={motivo} onInput={setMotivo} />
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {isSending ? own.sending : own.register}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Left out where it says nothing. */
export const motivoOf = (motivo: string) => (motivo.trim() === '' ? {} : { motivo: motivo.trim() })

export function Motive({ value, onInput }: { value: string; onInput(value: string): void }) {
  const t = duplicidadesTexts()
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{t.motive}</label>
      <textarea
        id={id}
        class="input"
        rows={2}
        maxLength={MAX_MOTIVE}
        value={value}
        aria-describedby={`${id}-note`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p class="note" id={`${id}-note`}>
        {t.motiveNote}
      </p>
    </div>
  )
}

const OUTDATED = [404, 409, 412]

/** A refusal; where what is seen is out of date, with the way to the present. */
export function Refusal({ error, onReload }: { error: unknown; onReload(): void }) {
  const t = duplicidadesTexts()
  if (error === null) return null
  const status = error instanceof ApiError ? error.status : null
  return (
    <>
      <Notice kind="error" text={status === 412 ? t.stale : errorText(error)} />
      {status !== null && OUTDATED.includes(status) && (
        <div class="row start">
          <Button icon="retry" onClick={onReload}>
            {t.reload}
          </Button>
        </div>
      )}
    </>
  )
}
