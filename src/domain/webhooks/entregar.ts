import type { Db } from '../../db/db.ts'
import type { Outcome } from '../../outbound/outbound.ts'
import type { App } from '../app.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { signatureHeaders } from './assinatura.ts'
import { deleteFila, holdFila, type Registro, settleEntrega, type Tentativa } from './fila.sql.ts'
import { openHeaders, openSecrets, sealResposta } from './sigilo.ts'
import { consequenceOf, type Desfecho } from './tentativas.ts'
import { markAccepted, markFailing, switchOff, type WebhookRow } from './webhooks.sql.ts'

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'outbound' | 'mailer' | 'version'>

/** Nothing accepted for this long: the webhook is switched off. */
const PATIENCE_MS = 5 * 24 * 3_600_000

type Destino = Pick<
  WebhookRow,
  'id' | 'url' | 'headers' | 'secret' | 'secret_anterior' | 'secret_anterior_ate'
>

/** One request, signed. No transaction is open meanwhile. */
export function post(
  app: Pick<App, 'cipher' | 'clock' | 'outbound' | 'version'>,
  destino: Destino,
  { evento_id, corpo }: Pick<Tentativa, 'evento_id' | 'corpo'>,
): Promise<Outcome> {
  const now = app.clock.now()
  return app.outbound.post({
    url: destino.url,
    headers: {
      ...openHeaders(app, destino),
      'content-type': 'application/json',
      'user-agent': `Vigia/${app.version}`,
      ...signatureHeaders({ id: evento_id, instante: now, corpo }, openSecrets(app, destino, now)),
    },
    body: corpo,
  })
}

/** The first delivery of a queue that this worker holds, and what comes of it. */
export async function deliver(app: Needs, trabalhador: string, tentativa: Tentativa): Promise<void> {
  const { entrega_id } = tentativa
  if (entrega_id === null) {
    await app.db.transaction(async (tx) => {
      if (await holdFila(tx, tentativa, trabalhador)) await deleteFila(tx, tentativa)
    })
    return
  }
  const outcome = await post(app, { ...tentativa, id: tentativa.webhook_id }, tentativa)
  const now = app.clock.now()
  const desfecho = consequenceOf(outcome, tentativa.tentativas + 1, now, Math.random())
  const told = await app.db.transaction(async (tx) => {
    if (!(await holdFila(tx, tentativa, trabalhador))) return false
    const registro = { ...describe(app, tentativa.webhook_id, outcome), estado: ESTADOS[desfecho.tipo], now }
    await settleEntrega(tx, tentativa, entrega_id, registro, desfecho.tipo === 'adiada' ? desfecho.em : now)
    return judgeWebhook(tx, tentativa, desfecho, now)
  })
  if (told) app.mailer.wake()
}

const ESTADOS = { entregue: 'entregue', adiada: 'pendente', desistida: 'falhou' } as const

/** Whether its owner has to be told that it was switched off. */
async function judgeWebhook(
  tx: Db,
  { webhook_id, falhando }: Tentativa,
  desfecho: Desfecho,
  now: Date,
): Promise<boolean> {
  if (desfecho.tipo === 'entregue') {
    if (falhando) await markAccepted(tx, webhook_id)
    return false
  }
  const desde = await markFailing(tx, webhook_id, desfecho.pausa, now)
  const gone = desfecho.tipo === 'adiada' && desfecho.desligar
  if (!gone && now.getTime() - desde.getTime() < PATIENCE_MS) return false
  const owner = await switchOff(tx, webhook_id, gone ? 'recusado' : 'falhas', now)
  if (owner === null) return false
  await enqueueEmail(tx, { tipo: 'webhook_desligado', para: owner.email, usuario_id: owner.usuario_id })
  return true
}

/** What the log keeps of an attempt: of the answer no more than its beginning, encrypted. */
export function describe(
  app: Pick<App, 'cipher'>,
  webhookId: string,
  outcome: Outcome,
): Omit<Registro, 'estado' | 'now'> {
  return outcome.kind === 'answered'
    ? {
        status_http: outcome.status,
        erro: null,
        duracao_ms: outcome.ms,
        resposta: sealResposta(app, webhookId, outcome.body),
      }
    : { status_http: null, erro: outcome.reason, duracao_ms: outcome.ms, resposta: null }
}
