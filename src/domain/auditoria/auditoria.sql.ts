import { readBlocks } from '../../db/cursor.ts'
import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type Columns, where } from '../../db/where.ts'
import type { Filter, ListQuery, Page } from '../../filter.ts'

export interface AuditoriaRow {
  id: number
  data: Date
  ator_id: number | null
  ator_nome: string | null
  acao: string
  recurso: string | null
  recurso_id: string | null
  detalhes: Record<string, unknown>
  endereco_ip: string | null
  request_id: string | null
  hash: Buffer
}

const COLUMNS: Columns = {
  fields: {
    id: sql`a.id`,
    data: sql`a.data`,
    ator_id: sql`a.ator_id`,
    acao: sql`a.acao`,
    recurso: sql`a.recurso`,
    recurso_id: sql`a.recurso_id`,
    endereco_ip: sql`a.endereco_ip`,
    request_id: sql`a.request_id`,
  },
  required: new Set(['id', 'data', 'acao']),
  search: (text) => sql`(plain(a.acao) like plain(${text}) or plain(a.ator_nome) like plain(${text}))`,
}

const REGISTRO = sql`
  a.id, a.data, a.ator_id, a.ator_nome, a.acao, a.recurso, a.recurso_id, a.detalhes, a.endereco_ip, a.request_id, a.hash`

/** `only`: condition on `a`, whatever is asked for; null: none. */
export function pageOfAuditoria(db: Db, list: ListQuery, only: Sql | null): Promise<Page<AuditoriaRow>> {
  const listing = { select: REGISTRO, from: sql`auditoria a`, columns: COLUMNS, id: sql`a.id` }
  return pageOf(db, { ...listing, ...(only && { only }) }, list)
}

/** All that match, in the order of the chain, within the snapshot of `tx`. */
export async function openAuditoria(
  tx: Db,
  filter: Filter,
  only: Sql | null,
): Promise<{ total: number; blocks: AsyncGenerator<AuditoriaRow[]> }> {
  const matching = sql`from auditoria a where ${only ?? sql`true`} and ${where(filter, COLUMNS)}`
  return {
    total: await tx.value<number>(sql`select count(*) ${matching}`),
    blocks: readBlocks(tx, 'auditoria_exportada', sql`select ${REGISTRO} ${matching} order by a.id`),
  }
}

/** Rows after an id, in the order of the chain. */
export function listAuditoriaAfter(db: Db, id: number, size: number): Promise<AuditoriaRow[]> {
  return db.rows(sql`select ${REGISTRO} from auditoria a where a.id > ${id} order by a.id limit ${size}`)
}

export interface AuditoriaFim {
  ultimo_id: number
  ultimo_hash: Buffer
}

export function findAuditoriaFim(db: Db): Promise<AuditoriaFim | null> {
  return db.first(sql`select ultimo_id, ultimo_hash from auditoria_fim`)
}

/** Locks the end of the chain until the transaction ends. */
export function lockAuditoriaFim(db: Db): Promise<AuditoriaFim> {
  return db.one(sql`select ultimo_id, ultimo_hash from auditoria_fim for update`)
}

export function insertAuditoria(db: Db, row: AuditoriaRow): Promise<number> {
  return db.run(sql`
    with fim as (update auditoria_fim set ultimo_id = ${row.id}, ultimo_hash = ${row.hash})
    insert into auditoria (id, data, ator_id, ator_nome, acao, recurso, recurso_id, detalhes, endereco_ip, request_id, hash)
    values (${row.id}, ${row.data}, ${row.ator_id}, ${row.ator_nome}, ${row.acao}, ${row.recurso}, ${row.recurso_id},
            ${row.detalhes}, ${row.endereco_ip}, ${row.request_id}, ${row.hash})`)
}

export function listAuditoriaOf(
  db: Db,
  recurso: string,
  recursoId: string,
  size: number,
): Promise<AuditoriaRow[]> {
  return db.rows(sql`
    select ${REGISTRO} from auditoria a where a.recurso = ${recurso} and a.recurso_id = ${recursoId}
     order by a.id desc limit ${size}`)
}

/** Acts by which somebody learns who a case is about. */
const LEITURAS = ['caso.identificado', 'caso.anexo_baixado', 'pessoa.buscada', 'pessoa.relatorio'] as const

/** Records of somebody having read who a case is about: of the case itself, or of several at once. */
export const isLeituraOf = (casoId: number): Sql => sql`
  a.recurso = 'caso' and a.acao = any(${LEITURAS}::text[])
    and (a.recurso_id = ${String(casoId)} or a.recurso_id is null and a.detalhes -> 'casos' @> ${String(casoId)}::jsonb)`

/** Oldest first. */
export function listLeituras(db: Db, casoId: number): Promise<AuditoriaRow[]> {
  return db.rows(sql`
    select ${REGISTRO} from auditoria a where ${isLeituraOf(casoId)} order by a.id limit 10000`)
}
