import type { Db } from '../../db/db.ts'
import { type Listing, pageOf } from '../../db/page.ts'
import { identifier, join, prepared, type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'
import {
  type Campos,
  COLUMN_FIELDS,
  type ColumnField,
  columnOf,
  DADOS_KEYS,
  LISTED_FIELDS,
  type ListedField,
} from './campos.ts'
import type { OpenCampos } from './historico.ts'
import { jsonWriter } from './json.ts'
import { ABERTO, STANDARD_KEYS, versaoOf } from './proprios.ts'
import { SEALED_COLUMNS, type Sealed } from './sigilo.ts'

/** A case without the fields that identify the patient. */
export interface CasoRow extends OpenCampos {
  id: number
  paciente_iniciais: string | null
  criado_por: { id: number; nome: string } | null
  responsavel: { id: number; nome: string } | null
  criado_em: Date
  atualizado_em: Date
  versao: number
  importacao_id: number | null
  importacao_linha: number | null
}

export interface CasoWithSigilo extends CasoRow {
  sigilo: Buffer | null
}

export interface Stored extends Record<string, unknown> {
  dados: Record<string, unknown>
}

const list = (fragments: readonly Sql[]) => join(fragments, ', ')

/** Columns of fields under the fields' names, for `casos c`. */
export const selected = (nomes: readonly ColumnField[]) =>
  list(
    nomes.map((nome) =>
      columnOf(nome) === nome
        ? identifier(`c.${nome}`)
        : sql`${identifier(`c.${columnOf(nome)}`)} as "${identifier(nome)}"`,
    ),
  )

/** The open fields of a case, `dados` as it is stored. */
export const OPEN_FIELDS = sql`${selected(COLUMN_FIELDS)}, c.paciente_iniciais, c.dados, c.definicao_versao`

export const OPEN_COLUMNS = sql`
  c.id, ${OPEN_FIELDS}, c.criado_em, c.atualizado_em, c.versao, c.importacao_id, c.importacao_linha`

const PESSOAS = sql`
  case when c.criado_por_nome is not null
    then jsonb_build_object('id', c.criado_por_id, 'nome', c.criado_por_nome) end as criado_por,
  (select jsonb_build_object('id', u.id, 'nome', u.nome) from usuarios u where u.id = c.responsavel_id) as responsavel`

/** Built with JSON.parse so that V8 gives it one hidden class: spreading it is then cheap, and rows take a quarter of the memory. */
const WITHOUT_DADOS: Record<string, null> = JSON.parse(
  JSON.stringify(Object.fromEntries(DADOS_KEYS.map(([nome]) => [nome, null]))),
)

/** Spreads `dados` into its fields, with nulls where it has no key; keys of no standard field are those of the disease's own. */
export function toCaso<T extends CasoRow>(row: Stored): T {
  const caso: Record<string, unknown> = { ...WITHOUT_DADOS, ...row }
  for (const [nome, chave] of DADOS_KEYS) if (row.dados[chave] !== undefined) caso[nome] = row.dados[chave]
  for (const chave in row.dados) if (!STANDARD_KEYS.has(chave)) caso[ABERTO + chave] = row.dados[chave]
  return caso as unknown as T
}

/** A listed case, with no more columns than a list shows: reading the fields of each row is most of what a list costs. */
export interface ListedCaso extends Pick<CasoRow, 'id' | ListedField | 'paciente_iniciais'> {
  dados: Partial<Record<string, unknown>>
  /** Moments as text, as JSON has them. */
  criado_em: string
  atualizado_em: string
}

const LISTED_BARE = sql`${selected(LISTED_FIELDS)}, c.paciente_iniciais, c.criado_em, c.atualizado_em`
export const LISTED_COLUMNS = sql`${LISTED_BARE}, c.dados`

/** Columns of a list; the JSON column only where something of it is shown. */
export const listedColumns = (withDados: boolean): Sql => (withDados ? LISTED_COLUMNS : LISTED_BARE)

/** Returns each case in the place of its id. */
export async function findCasos(db: Db, ids: number[]): Promise<(CasoRow | null)[]> {
  const rows = await db.rows<Stored & { id: number }>(
    prepared(sql`
      select ${OPEN_COLUMNS}, ${PESSOAS} from casos c where c.id = any(${ids}::integer[]) and c.excluido_em is null`),
  )
  const byId = new Map(rows.map((row) => [row.id, toCaso<CasoRow>(row)]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** The whole record, for identified reads and changes. */
export async function findCasoWithSigilo(db: Db, id: number): Promise<CasoWithSigilo | null> {
  const row = await db.first<Stored>(sql`
    select ${OPEN_COLUMNS}, ${PESSOAS}, c.sigilo from casos c where c.id = ${id} and c.excluido_em is null`)
  return row && toCaso(row)
}

export interface LockedCaso {
  id: number
  versao: number
  excluido: boolean
  tipo_agravo: string
  numero_notificacao: string
  estado_residencia: string | null
  municipio_residencia: number | null
  municipio_notificacao: number | null
  responsavel_id: number | null
  /** The case that it was merged into. */
  fundido_com: number | null
}

const LOCKED_COLUMNS = sql`id, versao, excluido_em is not null as excluido,
  tipo_agravo, numero_notificacao, estado_residencia, municipio_residencia, municipio_notificacao, responsavel_id, fundido_com`

export function lockCaso(db: Db, id: number): Promise<LockedCaso | null> {
  return db.first(sql`select ${LOCKED_COLUMNS} from casos where id = ${id} for update`)
}

interface StoredColumn {
  name: string
  read(campos: Campos, sealed: Sealed): string | number | boolean | Buffer | null
  /** Its value is JSON text. */
  json?: true
}

/** Columns that the fields of a case are stored in, each with the value it gets. */
export const STORED_COLUMNS: readonly StoredColumn[] = [
  ...COLUMN_FIELDS.map((nome) => ({ name: columnOf(nome), read: (campos: Campos) => campos[nome] })),
  ...SEALED_COLUMNS.map((name) => ({ name, read: (_: Campos, sealed: Sealed) => sealed[name] })),
  { name: 'dados', read: jsonWriter(DADOS_KEYS, ABERTO), json: true },
  { name: 'definicao_versao', read: versaoOf },
]
export const COLUMNS = list(STORED_COLUMNS.map(({ name }) => identifier(name)))

/** A row of the table as JSON that PostgreSQL can populate one from; `beside`: values of further columns. */
function rowJson(campos: Campos, sealed: Sealed, beside: Record<string, unknown> = {}): string {
  const members = Object.entries(beside).map(([name, value]) => `"${name}":${JSON.stringify(value)}`)
  for (const { name, read, json } of STORED_COLUMNS) {
    const value = read(campos, sealed)
    const text = Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : JSON.stringify(value)
    members.push(`"${name}":${json ? value : text}`)
  }
  return `{${members.join()}}`
}

export interface NewCaso {
  campos: Campos
  sealed: Sealed
  by: { id: number; nome: string }
  now: Date
}

/** Returns the ids in the order of the cases. `beside`: parts of the same statement; they find them in `novos (id, posicao)`. */
export async function insertCasos(
  db: Db,
  novos: readonly NewCaso[],
  beside: readonly Sql[],
): Promise<number[]> {
  const records = novos.map(({ campos, sealed, by, now }) =>
    rowJson(campos, sealed, { criado_por_id: by.id, criado_por_nome: by.nome, criado_em: now }),
  )
  const rows = await db.rows<{ id: number }>(
    prepared(sql`
      with inseridos as (
        insert into casos (${COLUMNS}, criado_por_id, criado_por_nome, responsavel_id, criado_em, atualizado_em)
        select ${COLUMNS}, criado_por_id, criado_por_nome, criado_por_id, criado_em, criado_em
        from json_populate_recordset(null::casos, ${`[${records.join()}]`}::json) with ordinality
        order by ordinality
        returning id
      ), novos as (
        select id, row_number() over (order by id) as posicao from inseridos
      )${join(
        beside.map((part, i) => sql`, ${identifier(`ao_lado_${i + 1}`)} as (${part})`),
        '',
      )}
      select id from novos order by posicao`),
  )
  return rows.map(({ id }) => id)
}

/** Writes the whole row, unchanged fields too. */
export function updateCaso(
  db: Db,
  id: number,
  versao: number,
  campos: Campos,
  sealed: Sealed,
  now: Date,
): Promise<number> {
  return db.run(
    prepared(sql`
      update casos set (${COLUMNS}, versao, atualizado_em) = (
        select ${COLUMNS}, ${versao}::integer, ${now}::timestamptz
        from json_populate_record(null::casos, ${rowJson(campos, sealed)}::json))
      where id = ${id}`),
  )
}

/** Mark that an import leaves on a case. */
export interface NewImportMark {
  importacao_id: number | null
  importacao_linha: number | null
  importacao_hash: Buffer | null
  /** The case is unchanged since that import. */
  intacto: boolean
}

export function markImported(db: Db, id: number, marca: NewImportMark): Promise<number> {
  return db.run(sql`
    update casos set importacao_id = ${marca.importacao_id}, importacao_linha = ${marca.importacao_linha},
      importacao_hash = ${marca.importacao_hash}, importacao_versao = case when ${marca.intacto} then versao end
    where id = ${id}`)
}

export function touchCaso(db: Db, id: number, versao: number, now: Date): Promise<number> {
  return db.run(sql`update casos set versao = ${versao}, atualizado_em = ${now} where id = ${id}`)
}

export function markExcluido(
  db: Db,
  id: number,
  versao: number,
  by: { id: number; nome: string },
  now: Date,
): Promise<number> {
  return db.run(sql`
    update casos
    set excluido_em = ${now}, excluido_por_id = ${by.id}, excluido_por_nome = ${by.nome},
      versao = ${versao}, atualizado_em = ${now}
    where id = ${id}`)
}

/** An absorbed case leaves every list and count as an excluded one does. */
export function markFundido(
  db: Db,
  id: number,
  versao: number,
  { principal, by, now }: { principal: number; by: { id: number; nome: string }; now: Date },
): Promise<number> {
  return db.run(sql`
    update casos
    set excluido_em = ${now}, excluido_por_id = ${by.id}, excluido_por_nome = ${by.nome}, fundido_com = ${principal},
      versao = ${versao}, atualizado_em = ${now}
    where id = ${id}`)
}

export function unmarkExcluido(db: Db, id: number, versao: number, now: Date): Promise<number> {
  return db.run(sql`
    update casos
    set excluido_em = null, excluido_por_id = null, excluido_por_nome = null, fundido_com = null, versao = ${versao},
      atualizado_em = ${now}
    where id = ${id}`)
}

/** True where a merge that stands absorbed the case, or was absorbed by it. */
export function isMerged(db: Db, id: number): Promise<boolean> {
  return db.value(sql`
    select exists (select from casos where fundido_com = ${id})
      or exists (select from casos where id = ${id} and fundido_com is not null)`)
}

/** With its history, its attachments and their files. */
export function deleteCaso(db: Db, id: number): Promise<number> {
  return db.run(sql`
    with files as (
      delete from arquivos where id in (select arquivo_id from anexos where caso_id = ${id})
    )
    delete from casos where id = ${id}`)
}

export interface ExcluidoRow {
  id: number
  versao: number
  tipo_agravo: string
  numero_notificacao: string
  data_notificacao: string
  paciente_iniciais: string | null
  excluido_em: Date
  excluido_por_id: number | null
  excluido_por_nome: string | null
}

const EXCLUIDOS: Omit<Listing, 'columns'> = {
  select: sql`c.id, c.versao, c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.paciente_iniciais,
    c.excluido_em, c.excluido_por_id, c.excluido_por_nome`,
  from: sql`casos c`,
  id: sql`c.id`,
  only: sql`c.excluido_em is not null`,
}

/** `conditions`: of the list of cases, for the territory. */
export function listExcluidos(
  db: Db,
  list: ListQuery,
  { conditions = {} }: Pick<Columns, 'conditions'>,
): Promise<Page<ExcluidoRow>> {
  const columns: Columns = {
    fields: {
      id: sql`c.id`,
      tipo_agravo: sql`c.tipo_agravo`,
      numero_notificacao: sql`c.numero_notificacao`,
      data_notificacao: sql`c.data_notificacao`,
      excluido_em: sql`c.excluido_em`,
    },
    required: new Set(['id', 'excluido_em']),
    conditions,
    search: (contains) => sql`plain(c.numero_notificacao) like plain(${contains})`,
  }
  return pageOf(db, { ...EXCLUIDOS, columns }, list)
}

/** Number of cases that an account answers for, excluded ones too: those that `transferCasos` moves. */
export function countCasosOf(db: Db, usuarioId: number): Promise<number> {
  return db.value(sql`select count(*) from casos where responsavel_id = ${usuarioId}`)
}

/** Transfers all cases of an account to another, with a line in the history of each. */
export async function transferCasos(
  db: Db,
  from: { id: number; nome: string },
  to: { id: number; nome: string },
  by: { id: number; nome: string },
  now: Date,
): Promise<LockedCaso[]> {
  return db.rows(sql`
    with moved as (
      update casos set responsavel_id = ${to.id}, versao = versao + 1, atualizado_em = ${now}
      where responsavel_id = ${from.id}
      returning ${LOCKED_COLUMNS}
    ), noted as (
      insert into casos_historico (caso_id, versao, data, acao, usuario_id, usuario_nome, alteracoes)
      select id, versao, ${now}::timestamptz, 'transferido', ${by.id}::integer, ${by.nome}::text,
        ${JSON.stringify({ responsavel: [from, to] })}::jsonb
      from moved
    )
    select * from moved`)
}
