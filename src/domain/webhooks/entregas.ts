import { type Caller, holds } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { EVENTO_DE_TESTE, TIPOS_DE_EVENTO } from '../eventos/catalogue.ts'
import { eventosSince, mayLearnOf, newEventoId } from '../eventos/eventos.ts'
import { describe, post } from './deliver.ts'
import { bodyOf, isFor, toEntrega } from './distribute.ts'
import {
  countEntregas,
  type EntregaCompleta,
  type EntregaRow,
  type EntregasMedidas,
  findEntrega,
  insertTeste,
  listEntregas,
  listPendingEventos,
  measureRegistro,
} from './entregas.sql.ts'
import { anyLate, deleteOldEntregas, insertEntregas, makeQueueDue } from './queue.sql.ts'
import { openResposta } from './sigilo.ts'
import {
  findReceiver,
  findWebhook,
  measureWebhookRows,
  type WebhookRow,
  type WebhooksMedidos,
} from './webhooks.sql.ts'
import { getWebhook } from './webhooks.ts'

/** What was delivered, and delivering it once more. */

type Needs = Parameters<typeof getWebhook>[0]

export const ESTADOS_DE_ENTREGA = ['pendente', 'entregue', 'falhou'] as const
export const MOTIVOS_DE_ENTREGA = ['evento', 'reenvio', 'repeticao', 'teste'] as const

export const ENTREGAS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    estado: { type: 'text', operators: ['eq', 'ne', 'in'], values: ESTADOS_DE_ENTREGA },
    tipo: { type: 'text', operators: ['eq', 'ne', 'in'], values: [...TIPOS_DE_EVENTO, EVENTO_DE_TESTE] },
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
  const [items, total] = await Promise.all([
    listEntregas(app.db, webhookId, list),
    countEntregas(app.db, webhookId, list),
  ])
  return { items, total, page: list.page, size: list.size }
}

export interface Entrega extends EntregaRow {
  /** Null to those who could not read what it tells: managing webhooks is not reading cases. */
  corpo: string | null
  /** The beginning of the receiver's answer; of the owner alone, and an intranet's of an owner who manages webhooks. */
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
  const { tipo, corpo, resposta, resposta_interna } = entrega
  // Without that, whoever may have a webhook could read an intranet through it.
  const mayReadAnswer = usuario_id === caller.id && (!resposta_interna || holds(caller, 'webhooks.gerenciar'))
  return {
    ...entrega,
    corpo: tipo === EVENTO_DE_TESTE || mayLearnOf(caller, tipo) ? corpo : null,
    resposta: mayReadAnswer && resposta !== null ? openResposta(app, webhookId, resposta) : null,
  }
}

async function storedEntrega({ db }: Needs, webhookId: string, id: number): Promise<EntregaCompleta> {
  const entrega = await findEntrega(db, webhookId, id)
  if (entrega === null) throw new AppError('NOT_FOUND')
  return entrega
}

/** At once and past whatever is held back. One that still waits is not doubled, only hurried. */
export async function resendEntrega(
  app: Needs,
  caller: Caller,
  webhookId: string,
  id: number,
): Promise<Entrega> {
  await getWebhook(app, caller, webhookId)
  const { evento_id, tipo, corpo, chave, estado } = await storedEntrega(app, webhookId, id)
  const now = app.clock.now()
  const resentId = await app.db.transaction(async (tx) => {
    if (estado === 'pendente') {
      await makeQueueDue(tx, webhookId, chave, now)
      return id
    }
    const again = { webhook_id: webhookId, evento_id, tipo, corpo, chave: `entrega:${id}` }
    const [row] = await insertEntregas(tx, [{ ...again, motivo: 'reenvio' as const }], now)
    return (row as { id: number }).id
  })
  return getEntrega(app, caller, webhookId, resentId)
}

const MAX_REPLAYED = 20_000

/** Everything since a moment, in order, behind what waits already; the number of events. */
export async function replayEventos(
  app: Needs,
  caller: Caller,
  webhookId: string,
  desde: Date,
): Promise<number> {
  await getWebhook(app, caller, webhookId)
  return app.db.transaction(async (tx) => {
    const receiver = await findReceiver(tx, webhookId)
    if (receiver === null) throw new AppError('NOT_FOUND')
    const { eventos: tipos, tipos_agravo, estados, municipios } = receiver
    const recorte = { tipos, tipos_agravo, estados, municipios }
    const eventos = await eventosSince(tx, recorte, desde, MAX_REPLAYED + 1)
    if (eventos.length > MAX_REPLAYED) throw invalid('body', ['desde'], 'TOO_MANY', { limit: MAX_REPLAYED })
    const waiting = await listPendingEventos(
      tx,
      webhookId,
      eventos.map(({ id }) => id),
    )
    const again = eventos.filter((evento) => isFor(receiver, evento) && !waiting.has(evento.id))
    if (again.length > 0)
      await insertEntregas(
        tx,
        again.map((evento) => toEntrega(evento, webhookId, 'repeticao')),
        app.clock.now(),
      )
    return again.length
  })
}

/** Asks the receiver right away, once; also where the webhook is paused. */
export async function testWebhook(
  app: Needs & Pick<App, 'outbound' | 'version' | 'webhookTests'>,
  caller: Caller,
  webhookId: string,
): Promise<Entrega> {
  await getWebhook(app, caller, webhookId)
  const row = (await findWebhook(app.db, webhookId)) as WebhookRow
  const evento = {
    id: newEventoId(),
    tipo: EVENTO_DE_TESTE,
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
  const accepted = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300
  const registro = { ...describe(app, webhookId, outcome), estado: accepted ? 'entregue' : 'falhou' } as const
  const id = await insertTeste(app.db, entrega, registro, app.clock.now())
  return getEntrega(app, caller, webhookId, id)
}

/** The log is kept for no longer. */
export const forgetEntregas = (db: Db, before: Date): Promise<number> => deleteOldEntregas(db, before)

const LATE_MS = 60_000

/** Whether something waits that a worker would have taken long ago; one that is busy does not count. */
export function areEntregasLate({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<boolean> {
  const now = clock.now()
  return anyLate(db, new Date(now.getTime() - LATE_MS), now)
}

/** Beyond this many, it does not matter how many more. */
const MEASURED_AT_MOST = 100_000

export function measureEntregas(db: Db): Promise<EntregasMedidas> {
  return measureRegistro(db, MEASURED_AT_MOST)
}

export function measureWebhooks(db: Db): Promise<WebhooksMedidos> {
  return measureWebhookRows(db)
}
