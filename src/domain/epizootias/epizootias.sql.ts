import { readBlocks } from '../../db/cursor.ts'
import type { Db } from '../../db/db.ts'
import { type Listing, pageOf } from '../../db/page.ts'
import { identifier, join, type Sql, sql } from '../../db/sql.ts'
import { orderBy, where } from '../../db/where.ts'
import type { Filter, ListQuery, Page } from '../../filter.ts'
import { type CamposDaEpizootia, COLUMN_NAMES } from './campos.ts'

/** An event without its observation. */
export interface EpizootiaRow extends Omit<CamposDaEpizootia, 'observacao'> {
  id: number
  versao: number
  criado_por_id: number | null
  criado_por_nome: string | null
  criado_em: Date
  atualizado_em: Date
  importacao_id: number | null
}

export interface SealedRow extends EpizootiaRow {
  observacao: Buffer | null
  excluido_em: Date | null
  importacao_linha: number | null
  importacao_versao: number | null
  criado_por_importacao: number | null
}

const list = (names: readonly string[]) => join(names.map(identifier), ', ')
const COLUMNS = list([...COLUMN_NAMES, 'observacao'])
const OPEN = sql`${list(['id', ...COLUMN_NAMES].map((name) => `e.${name}`))}, e.versao, e.criado_por_id, e.criado_por_nome,
  e.criado_em, e.atualizado_em, e.importacao_id`
export const SEALED = sql`${OPEN}, e.observacao, e.excluido_em, e.importacao_linha, e.importacao_versao, e.criado_por_importacao`

export function findEpizootias(
  db: Db,
  list: ListQuery,
  listing: Pick<Listing, 'columns'> & { only: Sql },
): Promise<Page<EpizootiaRow>> {
  const only = sql`e.excluido_em is null and ${listing.only}`
  return pageOf(
    db,
    { select: OPEN, from: sql`epizootias e`, columns: listing.columns, id: sql`e.id`, only },
    list,
  )
}

/** All events of a filter in the order of the list, within a transaction, with their number. */
export async function openEpizootias(
  tx: Db,
  filter: Filter,
  { columns, only }: Pick<Listing, 'columns'> & { only: Sql },
): Promise<{ total: number; blocks: AsyncGenerator<SealedRow[]> }> {
  const matching = sql`from epizootias e where e.excluido_em is null and ${only} and ${where(filter, columns)}`
  const total = await tx.value<number>(sql`select count(*)::integer ${matching}`)
  const order = orderBy({ sort: 'data_ocorrencia', order: 'desc' }, columns, sql`e.id`)
  return {
    total,
    blocks: readBlocks(tx, 'epizootias_percorridas', sql`select ${SEALED} ${matching} ${order}`),
  }
}

export interface EpizootiaExcluidaRow extends EpizootiaRow {
  excluido_em: Date
  excluido_por_id: number | null
  excluido_por_nome: string | null
}

export function findExcluidas(
  db: Db,
  list: ListQuery,
  { columns, only }: Pick<Listing, 'columns'> & { only: Sql },
): Promise<Page<EpizootiaExcluidaRow>> {
  const listing: Listing = {
    select: sql`${OPEN}, e.excluido_em, e.excluido_por_id, e.excluido_por_nome`,
    from: sql`epizootias e`,
    columns: {
      ...columns,
      fields: { ...columns.fields, excluido_em: sql`e.excluido_em` },
      required: new Set([...(columns.required ?? []), 'excluido_em']),
    },
    id: sql`e.id`,
    only: sql`e.excluido_em is not null and ${only}`,
  }
  return pageOf(db, listing, list)
}

export function findEpizootia(db: Db, id: number): Promise<SealedRow | null> {
  return db.first(sql`select ${SEALED} from epizootias e where e.id = ${id} and e.excluido_em is null`)
}

export function lockEpizootia(tx: Db, id: number): Promise<SealedRow | null> {
  return tx.first(sql`select ${SEALED} from epizootias e where e.id = ${id} for update`)
}

export function lockEpizootias(tx: Db, ids: readonly number[]): Promise<SealedRow[]> {
  return tx.rows(sql`select ${SEALED} from epizootias e where e.id = any(${ids}) order by e.id for update`)
}

export interface NovaEpizootia {
  campos: CamposDaEpizootia
  observacao: Buffer | null
  /** Of an import: its line. */
  linha?: number
}

export interface Autoria {
  usuario: { id: number | null; nome: string }
  now: Date
  importacaoId?: number
}

function rowJson({ campos, observacao, linha }: NovaEpizootia): Record<string, unknown> {
  return {
    ...campos,
    observacao: observacao && `\\x${observacao.toString('hex')}`,
    importacao_linha: linha ?? null,
  }
}

/** Ids with the keys of what was inserted; a live event of the same number and day stays as it is. */
export function insertEpizootias(
  tx: Db,
  novas: readonly NovaEpizootia[],
  { usuario, now, importacaoId = undefined }: Autoria,
): Promise<{ id: number; numero: string; data_ocorrencia: string | null }[]> {
  const importacao = importacaoId ?? null
  const versao = importacao === null ? null : 1
  return tx.rows(sql`
    insert into epizootias (${COLUMNS}, importacao_linha, criado_por_id, criado_por_nome, criado_em, atualizado_em, importacao_id,
      importacao_versao, criado_por_importacao)
    select ${COLUMNS}, importacao_linha, ${usuario.id}::integer, ${usuario.nome}, ${now}::timestamptz, ${now}::timestamptz,
      ${importacao}::integer, ${versao}::integer, ${importacao}::integer
    from json_populate_recordset(null::epizootias, ${JSON.stringify(novas.map(rowJson))}::json)
    on conflict do nothing
    returning id, numero, data_ocorrencia`)
}

/** Writes the whole row, unchanged fields too. */
export function updateEpizootia(
  tx: Db,
  id: number,
  versao: number,
  nova: NovaEpizootia,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update epizootias set (${COLUMNS}, versao, atualizado_em) = (
      select ${COLUMNS}, ${versao}::integer, ${now}::timestamptz
      from json_populate_record(null::epizootias, ${JSON.stringify(rowJson(nova))}::json))
    where id = ${id}`)
}

export interface MarcaDeImportacao {
  importacao_id: number | null
  importacao_linha: number | null
  /** The version that the import left; null: somebody changed the event since. */
  importacao_versao: number | null
}

export function markImported(tx: Db, id: number, marca: MarcaDeImportacao): Promise<number> {
  return tx.run(sql`
    update epizootias set importacao_id = ${marca.importacao_id}, importacao_linha = ${marca.importacao_linha},
      importacao_versao = ${marca.importacao_versao}
    where id = ${id}`)
}

export function markExcluida(
  tx: Db,
  id: number,
  versao: number,
  by: { id: number; nome: string },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update epizootias set excluido_em = ${now}, excluido_por_id = ${by.id}, excluido_por_nome = ${by.nome},
      versao = ${versao}, atualizado_em = ${now}
    where id = ${id}`)
}

export function unmarkExcluida(tx: Db, id: number, versao: number, now: Date): Promise<number> {
  return tx.run(sql`
    update epizootias set excluido_em = null, excluido_por_id = null, excluido_por_nome = null, versao = ${versao},
      atualizado_em = ${now}
    where id = ${id}`)
}

export interface HistoricoDeEpizootiaRow {
  epizootia_id: number
  versao: number
  data: Date
  acao: string
  usuario_id: number | null
  usuario_nome: string | null
  alteracoes: Record<string, unknown>
  sigilo: Buffer | null
  importacao_id: number | null
  importacao_anterior: MarcaDeImportacao | null
}

const HISTORICO = sql`epizootia_id, versao, data, acao, usuario_id, usuario_nome, alteracoes, sigilo, importacao_id,
  importacao_anterior`

export function insertHistorico(tx: Db, row: HistoricoDeEpizootiaRow): Promise<number> {
  return tx.run(sql`
    insert into epizootias_historico (${HISTORICO})
    values (${row.epizootia_id}, ${row.versao}, ${row.data}, ${row.acao}, ${row.usuario_id}, ${row.usuario_nome},
      ${JSON.stringify(row.alteracoes)}, ${row.sigilo}, ${row.importacao_id},
      ${row.importacao_anterior && JSON.stringify(row.importacao_anterior)})`)
}

export function listHistorico(
  db: Db,
  id: number,
  { size, offset, order }: { size: number; offset: number; order: 'asc' | 'desc' },
): Promise<HistoricoDeEpizootiaRow[]> {
  return db.rows(sql`
    select ${HISTORICO} from epizootias_historico where epizootia_id = ${id}
    order by versao ${order === 'asc' ? sql`asc` : sql`desc`} limit ${size} offset ${offset}`)
}

export function countHistorico(db: Db, id: number): Promise<number> {
  return db.value(sql`select count(*) from epizootias_historico where epizootia_id = ${id}`)
}

/** The last line of each event. */
export function listLastHistorico(tx: Db, ids: readonly number[]): Promise<HistoricoDeEpizootiaRow[]> {
  return tx.rows(sql`
    select distinct on (epizootia_id) ${HISTORICO} from epizootias_historico
    where epizootia_id = any(${ids}) order by epizootia_id, versao desc`)
}
