import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'
import type { EventReach } from '../eventos/alcance.ts'
import type { AttemptRecord, NewEntrega } from './queue.sql.ts'

export interface EntregaRow {
  id: number
  webhook_id: string
  evento_id: string
  tipo: string
  chave: string
  motivo: 'evento' | 'reenvio' | 'repeticao' | 'teste'
  estado: 'pendente' | 'entregue' | 'falhou'
  tentativas: number
  ultima_tentativa: Date | null
  /** While pending: the next attempt on its queue. */
  proxima_tentativa: Date | null
  status_http: number | null
  erro: string | null
  duracao_ms: number | null
  criado_em: Date
  concluida_em: Date | null
}

export interface EntregaWithContent extends EntregaRow {
  corpo: string
  alcance: EventReach | null
  resposta: Buffer | null
  resposta_interna: boolean
}

const ENTREGA = sql`
  e.id, e.webhook_id, e.evento_id, e.tipo, e.chave, e.motivo, e.estado, e.tentativas, e.ultima_tentativa, e.status_http,
  e.erro, e.duracao_ms, e.criado_em, e.concluida_em,
  case when e.estado = 'pendente' then (
    select f.proxima_tentativa from webhook_filas f where f.webhook_id = e.webhook_id and f.chave = e.chave
  ) end as proxima_tentativa`

const columns: Columns = {
  fields: {
    id: sql`e.id`,
    estado: sql`e.estado`,
    tipo: sql`e.tipo`,
    evento_id: sql`e.evento_id`,
    motivo: sql`e.motivo`,
    tentativas: sql`e.tentativas`,
    status_http: sql`e.status_http`,
    criado_em: sql`e.criado_em`,
  },
  required: new Set(['id', 'estado', 'tipo', 'evento_id', 'motivo', 'tentativas', 'criado_em']),
  search: (contains) =>
    sql`(plain(e.evento_id) like plain(${contains}) or plain(e.tipo) like plain(${contains}))`,
}

export function pageOfEntregasOf(db: Db, webhookId: string, list: ListQuery): Promise<Page<EntregaRow>> {
  const only = sql`e.webhook_id = ${webhookId}`
  return pageOf(db, { select: ENTREGA, from: sql`entregas e`, columns, id: sql`e.id`, only }, list)
}

export function findEntrega(db: Db, webhookId: string, id: number): Promise<EntregaWithContent | null> {
  return db.first(sql`
    select ${ENTREGA}, e.corpo, e.alcance, e.resposta, e.resposta_interna
    from entregas e where e.webhook_id = ${webhookId} and e.id = ${id}`)
}

/** Filters the events down to those that are queued already. */
export async function listPendingEventos(db: Db, webhookId: string, eventos: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ evento_id: string }>(sql`
    select evento_id from entregas
    where webhook_id = ${webhookId} and estado = 'pendente' and evento_id = any(${eventos})`)
  return new Set(rows.map(({ evento_id }) => evento_id))
}

/** Logs a delivery that was made outside the queue. */
export function insertTeste(
  tx: Db,
  { webhook_id, evento_id, tipo, chave, corpo }: Omit<NewEntrega, 'motivo' | 'alcance'>,
  { estado, status_http, erro, duracao_ms, resposta, resposta_interna }: AttemptRecord,
  now: Date,
): Promise<number> {
  return tx.value(sql`
    insert into entregas (webhook_id, evento_id, tipo, chave, corpo, motivo, estado, tentativas, ultima_tentativa,
      status_http, erro, duracao_ms, resposta, resposta_interna, criado_em, concluida_em)
    values (${webhook_id}, ${evento_id}, ${tipo}, ${chave}, ${corpo}, 'teste', ${estado}, 1, ${now},
      ${status_http}, ${erro}, ${duracao_ms}, ${resposta}, ${resposta_interna}, ${now}, ${now})
    returning id`)
}

export interface EntregaMeasures {
  waiting: number
  oldest_seconds: number
  failed_last_hour: number
}

/** Beyond this many deliveries the exact number does not matter, and counting them would be slow. */
const MEASURED_AT_MOST = 100_000

export function measureEntregas(db: Db): Promise<EntregaMeasures> {
  return db.one(sql`
    select p.*, (select count(*)::integer from (
        select from entregas where estado = 'falhou' and concluida_em > now() - interval '1 hour' limit ${MEASURED_AT_MOST}) f
      ) as failed_last_hour
    from (
      select count(*)::integer as waiting, coalesce(extract(epoch from now() - min(criado_em)), 0)::float8 as oldest_seconds
      from (select criado_em from entregas where estado = 'pendente' limit ${MEASURED_AT_MOST}) e
    ) p`)
}
