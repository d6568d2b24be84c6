import { useId, useState } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { api, cache } from '../../state/session.ts'
import { alertasTexts } from '../../state/texts/alertas.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Refusal } from '../../ui/refusal.tsx'
import type { Alerta } from './alertas.tsx'

const MAX_NOTE = 500

type AlertaComNota = AnswerOf<'GET', '/api/v1/agravos/alertas/{id}'>

interface AcknowledgeDialogProps {
  alerta: Alerta
  onDone(): void
  onClose(): void
}

/** Takes notice of an alert with a note. Somebody else may have been faster: theirs is shown, and nothing typed is lost. */
export function AcknowledgeDialog({ alerta, onDone, onClose }: AcknowledgeDialogProps) {
  const t = texts()
  const id = useId()
  const [nota, setNota] = useState('')
  const [isTried, setTried] = useState(false)
  const [theirs, setTheirs] = useState<AlertaComNota | null>(null)
  const params = { id: alerta.id }
  const isMissing = nota.trim() === ''
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (isMissing) return
    try {
      await api.post('/api/v1/agravos/alertas/{id}/reconhecer', { params, body: { nota: nota.trim() } })
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 409) throw failure
      void cache.invalidateQueries({ queryKey: ['alertas'] })
      setTheirs(await api.get('/api/v1/agravos/alertas/{id}', { params }))
      return
    }
    void cache.invalidateQueries({ queryKey: ['alertas'] })
    onDone()
  })
  const left = MAX_NOTE - nota.length
  const problem = isTried && isMissing ? alertasTexts().noteMissing : undefined
  return (
    <Dialog
      title={alertasTexts().acknowledgeTitle(t.niveis.nomes[alerta.nivel], alerta.lugar.nome)}
      onClose={onClose}
    >
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Refusal error={error} />}
        {theirs !== null && <Theirs alerta={theirs} />}
        {theirs === null && <p>{alertasTexts().acknowledgeNote}</p>}
        <div class="field">
          <label for={id}>{alertasTexts().note}</label>
          <textarea
            id={id}
            class="input"
            rows={4}
            maxLength={MAX_NOTE}
            value={nota}
            readOnly={theirs !== null}
            aria-invalid={problem !== undefined}
            aria-describedby={theirs === null ? `${id}-note` : undefined}
            onInput={(event) => setNota(event.currentTarget.value)}
          />
          {theirs === null && (
            <p class={problem === undefined ? 'note' : 'problem'} id={`${id}-note`}>
              {problem ?? alertasTexts().noteLeft(left)}
            </p>
          )}
        </div>
        <div class="row">
          <Button onClick={onClose}>{theirs === null ? t.app.cancel : t.app.close}</Button>
          {theirs === null && (
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {alertasTexts().acknowledge}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

function Theirs({ alerta: { reconhecido_por, reconhecido_em, nota } }: { alerta: AlertaComNota }) {
  const t = alertasTexts()
  const when = reconhecido_em === null ? null : new Date(reconhecido_em)
  return (
    <>
      <Notice kind="error" text={t.conflict(reconhecido_por, when)} />
      {nota !== null && (
        <p class="their-note">
          <small>{t.theirNote}</small>
          {nota}
        </p>
      )}
    </>
  )
}
