import { type Caller, holds } from '../../caller/caller.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { boundsOf, isInReach, reachOfOwner } from '../eventos/alcance.ts'
import { TEST_EVENTO, TIPOS_DE_EVENTO } from '../eventos/catalogue.ts'
import { eventosSince, mayLearnOf, newEventoId } from '../eventos/eventos.ts'
import { post, recordOf } from './deliver.ts'
import { bodyOf, isFor, isWithinReach, toEntrega, withTerritorio } from './distribute.ts'
import {
  type EntregaRow,
  type EntregaWithContent,
  findEntrega,
  insertTeste,
  listPendingEventos,
  pageOfEntregasOf,
} from './entregas.sql.ts'
import { anyLate, insertEntregas, makeQueueDue } from './queue.sql.ts'
import { isAccepted } from './retries.ts'
import { openResposta } from './sigilo.ts'
import { findReceiver, findWebhook, type WebhookRow } from './webhooks.sql.ts'
import { getWebhook } from './webhooks.ts'

export { measureEntregas } from './entregas.sql.ts'
export { forgetEntregas } from './queue.sql.ts'
export { measureWebhooks } from './webhooks.sql.ts'

/** The log of deliveries, and repeating them. */

type Needs = Parameters<typeof getWebhook>[0]

export const ESTADOS_DE_ENTREGA = ['pendente', 'entregue', 'falhou'] as const
export const MOTIVOS_DE_ENTREGA = ['evento', 'reenvio', 'repeticao', 'teste'] as const

export const ENTREGAS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    estado: { type: 'text', operators: ['eq', 'ne', 'in'], values: ESTADOS_DE_ENTREGA },
    tipo: { type: 'text', operators: ['eq', 'ne', 'in'], values: [...TIPOS_DE_EVENTO, TEST_EVENTO] },
    evento_id: { type: 'text', operators: ['eq', 'ne', 'in'] },
    motivo: { type: 'text', operators: ['eq', 'ne', 'in'], values: MOTIVOS_DE_ENTREGA },
    tentativas: { type: 'integer' },
    status_http: { type: 'integer' },
    criado_em: { type: 'datetime' },
  },
  sortable: ['id', 'criado_em', 'tentativas', 'estado'],
  defaultSort: { field: 'id', order: 'desc' },
}

export async function pageOfEntregas(
  app: Needs,
  caller: Caller,
  webhookId: string,
  list: ListQuery,
): Promise<Page<EntregaRow>> {
  await getWebhook(app, caller, webhookId)
  return pageOfEntregasOf(app.db, webhookId, list)
}

export interface Entrega extends EntregaRow {
  /** Null for callers that may not read the record, by right or by place: managing webhooks is not reading cases. */
  corpo: string | null
  /** The beginning of the receiver's answer, for the owner alone; an intranet's only for an owner who manages webhooks. */
  resposta: string | null
}

export async function getEntrega(
  app: Needs,
  caller: Caller,
  webhookId: string,
  id: number,
): Promise<Entrega> {
  const { usuario_id } = await getWebhook(app, caller, webhookId)
  const entrega = await storedEntrega(app, webhookId, id)
  const { tipo, corpo, alcance, resposta, resposta_interna } = entrega
  // Otherwise any owner of a webhook could read an intranet through it.
  const mayReadAnswer = usuario_id === caller.id && (!resposta_interna || holds(caller, 'webhooks.gerenciar'))
  return {
    ...entrega,
    corpo: tipo === TEST_EVENTO || (mayLearnOf(caller, tipo) && isInReach(alcance, caller)) ? corpo : null,
    resposta: mayReadAnswer && resposta !== null ? openResposta(app, webhookId, resposta) : null,
  }
}

async function storedEntrega({ db }: Needs, webhookId: string, id: number): Promise<EntregaWithContent> {
  const entrega = await findEntrega(db, webhookId, id)
  if (entrega === null) throw new AppError('NOT_FOUND')
  return entrega
}

/**
 * Queues a delivery again, past its record's queue; one that is still pending is made due instead. Refused where the event is
 * outside the territory of the webhook's owner.
 */
export async function resendEntrega(
  app: Needs,
  caller: Caller,
  webhookId: string,
  id: number,
): Promise<Entrega> {
  const { usuario_id } = await getWebhook(app, caller, webhookId)
  const { evento_id, tipo, corpo, chave, estado, ...stored } = await storedEntrega(app, webhookId, id)
  const alcance = tipo === TEST_EVENTO ? reachOfOwner(usuario_id) : stored.alcance
  const now = app.clock.now()
  const resentId = await app.db.transaction(async (tx) => {
    const receiver = await findReceiver(tx, webhookId)
    if (receiver !== null && !isWithinReach(withTerritorio(app.territories, receiver), alcance))
      throw new AppError('OUT_OF_TERRITORY')
    if (estado === 'pendente') {
      await makeQueueDue(tx, webhookId, chave, now)
      return id
    }
    const again = { webhook_id: webhookId, evento_id, tipo, corpo, alcance, chave: `entrega:${id}` }
    const [row] = await insertEntregas(tx, [{ ...again, motivo: 'reenvio' as const }], now)
    return (row as { id: number }).id
  })
  return getEntrega(app, caller, webhookId, resentId)
}

/** Events of one replay, which is a single transaction. */
const MAX_REPLAYED = 20_000

/** Queues all events since a moment, in order, behind the pending ones; `simular` only counts them. Returns their number. */
export async function replayEventos(
  app: Needs,
  caller: Caller,
  webhookId: string,
  { desde, simular }: { desde: Date; simular: boolean },
): Promise<number> {
  await getWebhook(app, caller, webhookId)
  return app.db.transaction(async (tx) => {
    const found = await findReceiver(tx, webhookId)
    if (found === null) throw new AppError('NOT_FOUND')
    const receiver = withTerritorio(app.territories, found)
    const {
      eventos: tipos,
      tipos_agravo,
      estados,
      municipios,
      niveis,
      suspeitas,
      territorio,
      usuario_id,
    } = receiver
    const bounds = boundsOf(app.municipios, { id: usuario_id, territorio })
    const filter = { tipos, tipos_agravo, estados, municipios, niveis, suspeitas, bounds }
    const eventos = await eventosSince(tx, filter, desde, MAX_REPLAYED + 1)
    if (eventos.length > MAX_REPLAYED) throw invalid('body', ['desde'], 'TOO_MANY', { limit: MAX_REPLAYED })
    const waiting = await listPendingEventos(
      tx,
      webhookId,
      eventos.map(({ id }) => id),
    )
    const again = eventos.filter((evento) => isFor(receiver, evento) && !waiting.has(evento.id))
    if (again.length > 0 && !simular)
      await insertEntregas(
        tx,
        again.map((evento) => toEntrega(evento, webhookId, 'repeticao')),
        app.clock.now(),
      )
    return again.length
  })
}

/** Sends a test event at once, a single time; also for a webhook that is paused. */
export async function testWebhook(
  app: Needs & Pick<App, 'outbound' | 'version' | 'webhookTests'>,
  caller: Caller,
  webhookId: string,
): Promise<Entrega> {
  await getWebhook(app, caller, webhookId)
  const row = (await findWebhook(app.db, webhookId)) as WebhookRow
  const evento = {
    id: newEventoId(),
    tipo: TEST_EVENTO,
    timestamp: app.clock.now().toISOString(),
    dados: { mensagem: 'Teste do webhook' },
  }
  const entrega = {
    webhook_id: webhookId,
    evento_id: evento.id,
    tipo: evento.tipo,
    chave: `teste:${evento.id}`,
    corpo: bodyOf(evento, webhookId),
  }
  const outcome = await app.webhookTests(() => post(app, row, entrega))
  const estado = isAccepted(outcome) ? 'entregue' : 'falhou'
  const record = { ...recordOf(app, webhookId, outcome), estado } as const
  const id = await insertTeste(app.db, entrega, record, app.clock.now())
  return getEntrega(app, caller, webhookId, id)
}

/** Far above the poll interval and a busy moment: no worker runs. */
const LATE_MS = 60_000

/** True when something is due that a running worker would have taken long ago. */
export function areEntregasLate({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<boolean> {
  const now = clock.now()
  return anyLate(db, new Date(now.getTime() - LATE_MS), now)
}
