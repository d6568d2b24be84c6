import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, cache, session } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { answerWords, type EntregaDetalhada, eventName, keyOf, TAGS, type Webhook } from './webhook-words.ts'

interface DeliveryDialogProps {
  webhookId: string
  id: number
  onClose(): void
}

/** One delivery with what was sent and answered, and the way to send it again. */
export function DeliveryDialog({ webhookId, id, onClose }: DeliveryDialogProps) {
  const t = texts()
  const own = webhooksTexts().deliveries
  const [isResent, setResent] = useState(false)
  const params = { id: webhookId, entrega_id: id }
  const query = useQuery({
    queryKey: [...keyOf(webhookId), 'entrega', id],
    queryFn: ({ signal }) => api.get('/api/v1/webhooks/{id}/entregas/{entrega_id}', { params }, { signal }),
  })
  const { isSending, error, submit } = useSending(async () => {
    setResent(false)
    await api.post('/api/v1/webhooks/{id}/entregas/{entrega_id}/reenviar', { params })
    setResent(true)
    void cache.invalidateQueries({ queryKey: keyOf(webhookId) })
  })
  return (
    <Dialog title={own.one} kind="broad" onClose={onClose}>
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      {isResent && <Notice kind="done" text={own.resent} />}
      <Answer query={query} lines={6}>
        {(entrega) => <DeliveryContent entrega={entrega} />}
      </Answer>
      <div class="row">
        <Button onClick={onClose}>{t.app.close}</Button>
        <Button kind="primary" icon="retry" aria-disabled={isSending} onClick={submit}>
          {own.resend}
        </Button>
      </div>
    </Dialog>
  )
}

export function DeliveryContent({ entrega }: { entrega: EntregaDetalhada }) {
  const t = webhooksTexts()
  const own = t.deliveries
  const { tipo, evento_id, estado, tentativas, ultima_tentativa, proxima_tentativa, corpo } = entrega
  const at = (moment: string | null) => (moment === null ? [] : [t.moment(new Date(moment))])
  const rows: [string, string][] = [
    [own.event, eventName(tipo)],
    [own.answer, answerWords(entrega)],
    [own.attempts, t.number(tentativas)],
    ...at(ultima_tentativa).map((moment): [string, string] => [own.last, moment]),
    ...at(proxima_tentativa).map((moment): [string, string] => [own.nextTry, moment]),
  ]
  return (
    <div class="form">
      <dl class="facts">
        <div>
          <dt>{own.state}</dt>
          <dd>
            <span class={`tag ${TAGS[estado]}`}>{own.states[estado]}</span>
          </dd>
        </div>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        {own.id} <code class="breaks">{evento_id}</code>
      </p>
      <Text label={own.body} text={corpo === null ? null : indented(corpo)} instead={own.bodyHidden} />
      <Text label={own.response} text={entrega.resposta || null} instead={withoutAnswer(entrega)} />
    </div>
  )
}

/** Reason for a missing text of an answer: none came, it was empty, or it is another's to read. */
function withoutAnswer({ webhook_id, status_http, resposta }: EntregaDetalhada): string {
  const own = webhooksTexts().deliveries
  if (status_http === null) return own.responseNone
  if (resposta === '') return own.responseEmpty
  const me = session.value.kind === 'open' ? session.value.perfil.id : null
  const owner = cache.getQueryData<Webhook>(keyOf(webhook_id))?.usuario.id
  return me === owner ? own.responseEmpty : own.responseHidden
}

function Text({ label, text, instead }: { label: string; text: string | null; instead: string }) {
  return (
    <div>
      <h3>{label}</h3>
      {text === null ? <p class="note">{instead}</p> : <CodeBlock label={label} text={text} />}
    </div>
  )
}

/** JSON over several lines; anything else as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
