import type { Db } from '../../db/db.ts'
import type { Outcome } from '../../outbound/outbound.ts'
import type { App } from '../app.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { notify } from '../notificacoes/notificacoes.ts'
import { isWithinReach, withTerritorio } from './distribute.ts'
import { type AttemptRecord, type DueEntrega, lockQueues, settleEntregas } from './queue.sql.ts'
import { type Consequence, consequenceOf } from './retries.ts'
import { openHeaders, openSecrets, sealResposta } from './sigilo.ts'
import { signatureHeaders } from './signature.ts'
import { markAccepted, markFailing, switchOff, type WebhookRow } from './webhooks.sql.ts'

/** A webhook that has accepted nothing for this long is switched off (docs/webhooks.md). */
const SWITCH_OFF_AFTER_MS = 5 * 24 * 3_600_000

type Destination = Pick<
  WebhookRow,
  'id' | 'url' | 'headers' | 'secret' | 'secret_anterior' | 'secret_anterior_ate'
>

/** Sends one signed request. No transaction is open meanwhile. */
export function post(
  app: Pick<App, 'cipher' | 'clock' | 'outbound' | 'version'>,
  destination: Destination,
  { evento_id, corpo }: Pick<DueEntrega, 'evento_id' | 'corpo'>,
): Promise<Outcome> {
  const now = app.clock.now()
  return app.outbound.post({
    url: destination.url,
    headers: {
      ...openHeaders(app, destination),
      'content-type': 'application/json',
      'user-agent': `Vigia/${app.version}`,
      ...signatureHeaders({ id: evento_id, sentAt: now, body: corpo }, openSecrets(app, destination, now)),
    },
    body: corpo,
  })
}

export interface DeliveryAttempt {
  entrega: DueEntrega
  /** Null: the queue was empty, or the delivery is withheld. */
  outcome: Outcome | null
  /** The territory of the owner shrank since it was queued: it is given up unsent. */
  withheld: boolean
}

export async function attempt(
  app: Parameters<typeof post>[0] & Pick<App, 'territories'>,
  entrega: DueEntrega,
): Promise<DeliveryAttempt> {
  if (entrega.entrega_id === null) return { entrega, outcome: null, withheld: false }
  const owned = withTerritorio(app.territories, entrega)
  if (!isWithinReach(owned, entrega.alcance)) return { entrega, outcome: null, withheld: true }
  return {
    entrega,
    withheld: false,
    outcome: await post(app, { ...entrega, id: entrega.webhook_id }, entrega),
  }
}

type Judged = DeliveryAttempt & { consequence: Consequence | null }

/** Writes the outcomes of attempts in one transaction, for one commit instead of one each. */
export async function settle(
  app: Pick<App, 'db' | 'clock' | 'cipher' | 'mailer'>,
  worker: string,
  attempts: DeliveryAttempt[],
): Promise<void> {
  const now = app.clock.now()
  const judged = attempts.map((one): Judged => {
    const { entrega, outcome, withheld } = one
    if (withheld) return { ...one, consequence: { kind: 'given-up', pauseUntil: null } }
    return {
      ...one,
      consequence: outcome && consequenceOf(outcome, entrega.tentativas + 1, now, Math.random()),
    }
  })
  const mailed = await app.db.transaction(async (tx) => {
    const queues = judged.map(({ entrega: { webhook_id, chave } }) => ({ webhook_id, chave }))
    const held = new Set((await lockQueues(tx, queues, worker)).map(keyOf))
    const ours = judged.filter(({ entrega }) => held.has(keyOf(entrega)))
    if (ours.length === 0) return false
    const settled = ours.map(
      ({ entrega: { webhook_id, chave, entrega_id }, outcome, withheld, consequence }) => ({
        ...{ webhook_id, chave, entrega_id },
        estado: consequence ? ESTADOS[consequence.kind] : ('pendente' as const),
        ...(outcome
          ? recordOf(app, webhook_id, outcome)
          : { ...NO_ANSWER, erro: withheld ? WITHHELD : null }),
        proxima: consequence?.kind === 'postponed' ? consequence.at : now,
      }),
    )
    await settleEntregas(tx, settled, now)
    return judgeWebhooks(
      tx,
      ours.filter(({ withheld }) => !withheld),
      now,
    )
  })
  if (mailed) app.mailer.wake()
}

const keyOf = ({ webhook_id, chave }: { webhook_id: string; chave: string }) => `${webhook_id} ${chave}`
/** Reason of a delivery that was not sent, in the log. */
const WITHHELD = 'out_of_territory'
const ESTADOS = { delivered: 'entregue', postponed: 'pendente', 'given-up': 'falhou' } as const
const NO_ANSWER = { status_http: null, erro: null, duracao_ms: 0, resposta: null, resposta_interna: false }

/** True when a mail was queued. In the order of ids: other workers lock the same webhooks. */
async function judgeWebhooks(tx: Db, judged: Judged[], now: Date): Promise<boolean> {
  const byWebhook = Map.groupBy(judged, ({ entrega }) => entrega.webhook_id)
  let mailed = false
  for (const id of [...byWebhook.keys()].sort()) {
    const those = byWebhook.get(id) ?? []
    const failures = those.flatMap(({ consequence }) =>
      consequence === null || consequence.kind === 'delivered' ? [] : [consequence],
    )
    if (failures.length > 0) mailed = (await judgeFailing(tx, id, failures, now)) || mailed
    if (those.some(({ entrega, consequence }) => entrega.falhando && consequence?.kind === 'delivered'))
      await markAccepted(tx, id)
  }
  return mailed
}

async function judgeFailing(
  tx: Db,
  id: string,
  failures: Exclude<Consequence, { kind: 'delivered' }>[],
  now: Date,
): Promise<boolean> {
  const pauses = failures.flatMap(({ pauseUntil }) => (pauseUntil === null ? [] : [pauseUntil.getTime()]))
  const pauseUntil = pauses.length === 0 ? null : new Date(Math.max(...pauses))
  const since = await markFailing(tx, id, pauseUntil, now)
  const gone = failures.some((one) => one.kind === 'postponed' && one.gone)
  if (!gone && now.getTime() - since.getTime() < SWITCH_OFF_AFTER_MS) return false
  const owner = await switchOff(tx, id, gone ? 'recusado' : 'falhas', now)
  if (owner === null) return false
  await enqueueEmail(tx, { tipo: 'webhook_desligado', para: owner.email, usuario_id: owner.usuario_id })
  await notify(tx, owner.usuario_id, 'webhook_desligado', now, { webhook_id: id })
  return true
}

/** The log entry of an attempt: no more than the beginning of the answer, encrypted. */
export function recordOf(
  app: Pick<App, 'cipher'>,
  webhookId: string,
  outcome: Outcome,
): Omit<AttemptRecord, 'estado'> {
  return outcome.kind === 'answered'
    ? {
        status_http: outcome.status,
        erro: null,
        duracao_ms: outcome.ms,
        resposta: sealResposta(app, webhookId, outcome.body),
        resposta_interna: outcome.internal,
      }
    : { ...NO_ANSWER, erro: outcome.reason, duracao_ms: outcome.ms }
}
