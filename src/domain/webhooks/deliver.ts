import type { Db } from '../../db/db.ts'
import type { Outcome } from '../../outbound/outbound.ts'
import type { App } from '../app.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { holdFilas, type Registro, settleEntregas, type Tentativa } from './queue.sql.ts'
import { consequenceOf, type Desfecho } from './retries.ts'
import { openHeaders, openSecrets, sealResposta } from './sigilo.ts'
import { signatureHeaders } from './signature.ts'
import { markAccepted, markFailing, switchOff, type WebhookRow } from './webhooks.sql.ts'

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

export interface Feita {
  tentativa: Tentativa
  /** Null: there was nothing to deliver. */
  outcome: Outcome | null
}

export async function attempt(app: Parameters<typeof post>[0], tentativa: Tentativa): Promise<Feita> {
  if (tentativa.entrega_id === null) return { tentativa, outcome: null }
  return { tentativa, outcome: await post(app, { ...tentativa, id: tentativa.webhook_id }, tentativa) }
}

/** What comes of attempts, in one transaction: each alone would wait for a disk of its own. */
export async function settle(
  app: Pick<App, 'db' | 'clock' | 'cipher' | 'mailer'>,
  trabalhador: string,
  feitas: Feita[],
): Promise<void> {
  const now = app.clock.now()
  const judged = feitas.map(({ tentativa, outcome }) => ({
    tentativa,
    outcome,
    desfecho: outcome && consequenceOf(outcome, tentativa.tentativas + 1, now, Math.random()),
  }))
  const told = await app.db.transaction(async (tx) => {
    const filas = judged.map(({ tentativa: { webhook_id, chave } }) => ({ webhook_id, chave }))
    const held = new Set((await holdFilas(tx, filas, trabalhador)).map(keyOf))
    const ours = judged.filter(({ tentativa }) => held.has(keyOf(tentativa)))
    if (ours.length === 0) return false
    const resultados = ours.map(({ tentativa: { webhook_id, chave, entrega_id }, outcome, desfecho }) => ({
      ...{ webhook_id, chave, entrega_id, estado: desfecho ? ESTADOS[desfecho.tipo] : ('pendente' as const) },
      ...(outcome ? describe(app, webhook_id, outcome) : NOTHING),
      proxima: desfecho?.tipo === 'adiada' ? desfecho.em : now,
    }))
    await settleEntregas(tx, resultados, now)
    return judgeWebhooks(tx, ours, now)
  })
  if (told) app.mailer.wake()
}

const keyOf = ({ webhook_id, chave }: { webhook_id: string; chave: string }) => `${webhook_id} ${chave}`
const ESTADOS = { entregue: 'entregue', adiada: 'pendente', desistida: 'falhou' } as const
const NOTHING = { status_http: null, erro: null, duracao_ms: 0, resposta: null, resposta_interna: false }

/** Whether an owner has to be told that theirs was switched off. In one order: other workers judge the same webhooks. */
async function judgeWebhooks(
  tx: Db,
  feitas: { tentativa: Tentativa; desfecho: Desfecho | null }[],
  now: Date,
): Promise<boolean> {
  const byWebhook = Map.groupBy(feitas, ({ tentativa }) => tentativa.webhook_id)
  let told = false
  for (const id of [...byWebhook.keys()].sort()) {
    const those = byWebhook.get(id) ?? []
    const failures = those.flatMap(({ desfecho }) =>
      desfecho === null || desfecho.tipo === 'entregue' ? [] : [desfecho],
    )
    if (failures.length > 0) told = (await judgeFailing(tx, id, failures, now)) || told
    if (those.some(({ tentativa, desfecho }) => tentativa.falhando && desfecho?.tipo === 'entregue'))
      await markAccepted(tx, id)
  }
  return told
}

async function judgeFailing(
  tx: Db,
  id: string,
  failures: Exclude<Desfecho, { tipo: 'entregue' }>[],
  now: Date,
): Promise<boolean> {
  const pauses = failures.flatMap(({ pausa }) => (pausa === null ? [] : [pausa.getTime()]))
  const pausa = pauses.length === 0 ? null : new Date(Math.max(...pauses))
  const desde = await markFailing(tx, id, pausa, now)
  const gone = failures.some((one) => one.tipo === 'adiada' && one.desligar)
  if (!gone && now.getTime() - desde.getTime() < PATIENCE_MS) return false
  const owner = await switchOff(tx, id, gone ? 'recusado' : 'falhas', now)
  if (owner === null) return false
  await enqueueEmail(tx, { tipo: 'webhook_desligado', para: owner.email, usuario_id: owner.usuario_id })
  return true
}

/** What the log keeps of an attempt: of the answer no more than its beginning, encrypted. */
export function describe(
  app: Pick<App, 'cipher'>,
  webhookId: string,
  outcome: Outcome,
): Omit<Registro, 'estado'> {
  return outcome.kind === 'answered'
    ? {
        status_http: outcome.status,
        erro: null,
        duracao_ms: outcome.ms,
        resposta: sealResposta(app, webhookId, outcome.body),
        resposta_interna: outcome.internal,
      }
    : { ...NOTHING, erro: outcome.reason, duracao_ms: outcome.ms }
}
