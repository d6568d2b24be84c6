import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Columns, limit, orderBy, where } from '../../db/where.ts'
import type { ListQuery } from '../../filter.ts'
import type { NovaEntrega, Registro } from './queue.sql.ts'

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
  /** While it waits; behind others of its record it has none of its own. */
  proxima_tentativa: Date | null
  status_http: number | null
  erro: string | null
  duracao_ms: number | null
  criado_em: Date
  concluida_em: Date | null
}

export interface EntregaCompleta extends EntregaRow {
  corpo: string
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

export function listEntregas(db: Db, webhookId: string, list: ListQuery): Promise<EntregaRow[]> {
  return db.rows(sql`
    select ${ENTREGA} from entregas e where e.webhook_id = ${webhookId} and ${where(list.filter, columns)}
    ${orderBy(list, columns, sql`e.id`)} ${limit(list)}`)
}

export async function countEntregas(db: Db, webhookId: string, { filter }: ListQuery): Promise<number> {
  const row = await db.first<{ total: number }>(sql`
    select count(*) as total from entregas e where e.webhook_id = ${webhookId} and ${where(filter, columns)}`)
  return (row as { total: number }).total
}

export function findEntrega(db: Db, webhookId: string, id: number): Promise<EntregaCompleta | null> {
  return db.first(sql`
    select ${ENTREGA}, e.corpo, e.resposta, e.resposta_interna
    from entregas e where e.webhook_id = ${webhookId} and e.id = ${id}`)
}

/** Of these events, those that wait to be delivered anyway. */
export async function listPendingEventos(db: Db, webhookId: string, eventos: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ evento_id: string }>(sql`
    select evento_id from entregas
    where webhook_id = ${webhookId} and estado = 'pendente' and evento_id = any(${eventos})`)
  return new Set(rows.map(({ evento_id }) => evento_id))
}

/** One that was made at once and is over. */
export async function insertTeste(
  tx: Db,
  { webhook_id, evento_id, tipo, chave, corpo }: Omit<NovaEntrega, 'motivo'>,
  { estado, status_http, erro, duracao_ms, resposta, resposta_interna }: Registro,
  now: Date,
): Promise<number> {
  const row = await tx.first<{ id: number }>(sql`
    insert into entregas (webhook_id, evento_id, tipo, chave, corpo, motivo, estado, tentativas, ultima_tentativa,
      status_http, erro, duracao_ms, resposta, resposta_interna, criado_em, concluida_em)
    values (${webhook_id}, ${evento_id}, ${tipo}, ${chave}, ${corpo}, 'teste', ${estado}, 1, ${now},
      ${status_http}, ${erro}, ${duracao_ms}, ${resposta}, ${resposta_interna}, ${now}, ${now})
    returning id`)
  return (row as { id: number }).id
}

export interface EntregasMedidas {
  waiting: number
  oldest_seconds: number
  failed_last_hour: number
}

export async function measureRegistro(db: Db, atMost: number): Promise<EntregasMedidas> {
  const row = await db.first<EntregasMedidas>(sql`
    select p.*, (select count(*)::integer from (
        select from entregas where estado = 'falhou' and concluida_em > now() - interval '1 hour' limit ${atMost}) f
      ) as failed_last_hour
    from (
      select count(*)::integer as waiting, coalesce(extract(epoch from now() - min(criado_em)), 0)::float8 as oldest_seconds
      from (select criado_em from entregas where estado = 'pendente' limit ${atMost}) e
    ) p`)
  return row as EntregasMedidas
}
