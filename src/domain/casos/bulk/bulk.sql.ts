import { copyFields } from '../../../db/copy-line.ts'
import type { Db } from '../../../db/db.ts'
import { identifier, join, sql } from '../../../db/sql.ts'
import type { Campos } from '../campos.ts'
import {
  type CasoWithSigilo,
  COLUMNS,
  OPEN_COLUMNS,
  OPEN_FIELDS,
  STORED_COLUMNS,
  type Stored,
  toCaso,
} from '../casos.sql.ts'
import { versaoOf } from '../proprios.ts'
import type { Sealed } from '../sigilo.ts'

/**
 * Staging tables of imports, `preparo.casos_<n>` and `preparo.ocorrencias_<n>` (n: number of the job). Unlogged: a crash of
 * the database empties them and the file is read again. In one transaction their rows are matched with `casos` and moved.
 */

const casosOf = (numero: number) => identifier(`preparo.casos_${numero}`)
const ocorrenciasOf = (numero: number) => identifier(`preparo.ocorrencias_${numero}`)

/** Creates the tables unless they exist. */
export async function createStaging(db: Db, numero: number): Promise<void> {
  // Rows are not compressed here (the target is the largest there is), but once, when they become cases.
  await db.run(sql`
    create unlogged table if not exists ${casosOf(numero)} with (toast_tuple_target = 8160) as
    select ${COLUMNS}, 0 as linha, ''::bytea as hash, false as derivado from casos with no data`)
  await db.run(sql`
    create unlogged table if not exists ${ocorrenciasOf(numero)} (
      linha integer not null, erro boolean not null, numero text, texto text not null, valores bytea
    )`)
  // Serves the pages of `listOcorrencias`; without it each page scans the whole table.
  await db.run(sql`
    create index if not exists ${identifier(`ocorrencias_${numero}__linha`)} on ${ocorrenciasOf(numero)} (linha)`)
}

export async function dropStaging(db: Db, numero: number): Promise<void> {
  await db.run(sql`drop table if exists ${casosOf(numero)}, ${ocorrenciasOf(numero)}`)
}

export async function emptyStaging(db: Db, numero: number): Promise<void> {
  await db.run(sql`truncate ${casosOf(numero)}, ${ocorrenciasOf(numero)}`)
}

export function countStaged(db: Db, numero: number): Promise<{ casos: number; ocorrencias: number }> {
  return db.one(sql`
    select (select count(*) from ${casosOf(numero)}) as casos,
      (select count(*) from ${ocorrenciasOf(numero)}) as ocorrencias`)
}

/** Tables whose job is no longer in the queue: left by workers that died before dropping them. */
export function listOrphanTables(db: Db): Promise<{ tabela: string }[]> {
  return db.rows(sql`
    select 'preparo.' || c.relname as tabela
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'preparo' and c.relkind = 'r'
      and not exists (select from jobs_fila f where c.relname in ('casos_' || f.numero, 'ocorrencias_' || f.numero))`)
}

export function dropTable(db: Db, tabela: string): Promise<number> {
  return db.run(sql`drop table if exists ${identifier(tabela)}`)
}

export function copyCasos(db: Db, numero: number, lines: Buffer[]): Promise<number> {
  return db.copy(sql`copy ${casosOf(numero)} (${STAGED_COLUMNS}) from stdin`, lines)
}

export function copyOcorrencias(db: Db, numero: number, lines: (Buffer | string)[]): Promise<number> {
  return db.copy(sql`copy ${ocorrenciasOf(numero)} from stdin`, lines)
}

export interface StagedRow {
  campos: Campos
  sealed: Sealed
  /** Line of the file. */
  linha: number
  /** Its notification number is derived from its values. */
  derivado: boolean
}

interface StagedColumn<Row> {
  name: string
  read(row: Row): unknown
}

/** Columns that differ between lines that say the same. */
const UNHASHED_NAMES = ['sigilo', 'definicao_versao']

/** Columns of the staging table, each with the value it gets: first those whose text a line's hash is made of. */
const HASHED: readonly StagedColumn<StagedRow>[] = STORED_COLUMNS.filter(
  ({ name }) => !UNHASHED_NAMES.includes(name),
).map(({ name, read }) => ({ name, read: ({ campos, sealed }) => read(campos, sealed) }))
const UNHASHED: readonly StagedColumn<StagedRow & { hash: Buffer }>[] = [
  { name: 'sigilo', read: ({ sealed }) => sealed.sigilo },
  { name: 'definicao_versao', read: ({ campos }) => versaoOf(campos) },
  { name: 'linha', read: ({ linha }) => linha },
  { name: 'hash', read: ({ hash }) => hash },
  { name: 'derivado', read: ({ derivado }) => derivado },
]
const STAGED_COLUMNS = join(
  [...HASHED, ...UNHASHED].map(({ name }) => identifier(name)),
  ', ',
)

/** COPY line of a row; `hashOf` is given the text of its open values. */
export function stagedLine(row: StagedRow, hashOf: (text: string) => Buffer): string {
  const text = fieldsOf(HASHED, row)
  return `${text}\t${fieldsOf(UNHASHED, { ...row, hash: hashOf(text) })}\n`
}

function fieldsOf<Row>(columns: readonly StagedColumn<Row>[], row: Row): string {
  const values: unknown[] = []
  for (const { read } of columns) values.push(read(row))
  return copyFields(values)
}

/** Commits without waiting for the disk: staged rows that a crash takes are read again from the file. */
export function relaxCommit(tx: Db): Promise<number> {
  return tx.run(sql`set local synchronous_commit = off`)
}

/** Settings of a bulk transaction: memory to sort and hash a large file, no statement timeout, parallel plans. */
export async function prepareForBulk(tx: Db): Promise<void> {
  await tx.run(sql`set local work_mem = '128MB'`)
  await tx.run(sql`set local statement_timeout = 0`)
  await tx.run(sql`set local parallel_setup_cost to default`)
  // One import writes at a time: two files with the same cases would block each other row by row.
  await tx.run(sql`select pg_advisory_xact_lock(8443007)`)
}

/** Statistics of the columns that identify a case; the others are not compared. */
export async function analyzeStaging(tx: Db, numero: number): Promise<void> {
  await tx.run(sql`analyze ${casosOf(numero)} (linha, numero_notificacao, data_notificacao, tipo_agravo)`)
}

/** Index for look-ups of single lines. */
export async function indexLines(tx: Db, numero: number): Promise<void> {
  await tx.run(sql`
    create index if not exists ${identifier(`casos_${numero}__linha`)} on ${casosOf(numero)} (linha)`)
}

/** Rows without a notification number that are equal in all values: the second and later ones. */
export function listEqualDerived(
  tx: Db,
  numero: number,
): Promise<{ linha: number; turn: number; numero_notificacao: string }[]> {
  return tx.rows(sql`
    select linha, turn, numero_notificacao from (
      select linha, numero_notificacao,
        row_number() over (partition by numero_notificacao, data_notificacao, tipo_agravo order by linha) as turn
      from ${casosOf(numero)} where derivado
    ) repeated where turn > 1`)
}

export function renumber(
  tx: Db,
  numero: number,
  linha: number,
  { numero_notificacao, sigilo }: { numero_notificacao: string; sigilo: Buffer | null },
): Promise<number> {
  return tx.run(sql`
    update ${casosOf(numero)} set numero_notificacao = ${numero_notificacao}, sigilo = ${sigilo}
    where linha = ${linha}`)
}

/** Deletes all but the last line of a case that comes more than once in a file. */
export function deleteRepeated(
  tx: Db,
  numero: number,
): Promise<{ linha: number; numero_notificacao: string }[]> {
  return tx.rows(sql`
    with repeated as (
      select numero_notificacao, data_notificacao, tipo_agravo, max(linha) as last_line
      from ${casosOf(numero)} group by 1, 2, 3 having count(*) > 1
    )
    delete from ${casosOf(numero)} s using repeated r
    where s.numero_notificacao = r.numero_notificacao and s.data_notificacao = r.data_notificacao
      and s.tipo_agravo = r.tipo_agravo and s.linha <> r.last_line
    returning s.linha, s.numero_notificacao`)
}

/**
 * Matches lines with existing cases; `same`: the line repeats the one imported last, by `by` alone or by anybody. A notification that
 * no live case has is matched with the absorbed case that had it last (`fundido`), so that it makes no new one.
 */
export async function matchCasos(
  tx: Db,
  numero: number,
  by: { usuarioId: number | null } | 'anybody',
): Promise<void> {
  const known =
    by === 'anybody'
      ? sql`true`
      : sql`exists (select from importacoes i where i.id = c.importacao_id and i.usuario_id = ${by.usuarioId})`
  await tx.run(sql`
    create temporary table matches on commit drop as
    select s.linha, c.id, coalesce(c.importacao_hash = s.hash and ${known}, false) as same, false as fundido
    from ${casosOf(numero)} s
    join casos c on c.numero_notificacao = s.numero_notificacao and c.data_notificacao = s.data_notificacao
      and c.tipo_agravo = s.tipo_agravo and c.excluido_em is null`)
  await tx.run(sql`
    insert into matches
    select distinct on (s.linha) s.linha, c.id, coalesce(c.importacao_hash = s.hash and ${known}, false), true
    from casos c
    join ${casosOf(numero)} s on s.numero_notificacao = c.numero_notificacao and s.data_notificacao = c.data_notificacao
      and s.tipo_agravo = c.tipo_agravo
    where c.fundido_com is not null and not exists (select from matches m where m.linha = s.linha)
    order by s.linha, c.excluido_em desc, c.id desc`)
  await tx.run(sql`create unique index on matches (linha)`)
  await tx.run(sql`analyze matches`)
}

export function countMatches(
  tx: Db,
  numero: number,
): Promise<{ total: number; matches: number; unchanged: number; fundidos: number }> {
  return tx.one(sql`
    select (select count(*) from ${casosOf(numero)}) as total, count(*) as matches,
      count(*) filter (where same and not fundido) as unchanged, count(*) filter (where same and fundido) as fundidos
    from matches`)
}

export function listDiffering(tx: Db, after: number, size: number): Promise<{ linha: number; id: number }[]> {
  return tx.rows(sql`
    select linha, id from matches where not same and linha > ${after} order by linha limit ${size}`)
}

export interface ImportedCaso extends CasoWithSigilo {
  importacao: ImportMark
  /** The case that absorbed it. */
  fundido_com: number | null
}

/** Mark of the import that wrote a case last. */
export interface ImportMark {
  importacao_id: number | null
  importacao_linha: number | null
  importacao_hash: string | null
  /** Unchanged since that import. */
  intacto: boolean
}

const IMPORT_MARK = sql`jsonb_build_object(
  'importacao_id', c.importacao_id, 'importacao_linha', c.importacao_linha,
  'importacao_hash', encode(c.importacao_hash, 'hex'), 'intacto', c.importacao_versao = c.versao) as importacao`

/** Locks the cases until the commit. */
export async function lockCasosByIds(tx: Db, ids: number[]): Promise<Map<number, ImportedCaso>> {
  const rows = await tx.rows<Stored>(sql`
    select ${OPEN_COLUMNS}, c.sigilo, c.fundido_com, ${IMPORT_MARK} from casos c where c.id = any(${ids}) order by c.id for update`)
  return new Map(rows.map((row) => toCaso<ImportedCaso>(row)).map((row) => [row.id, row]))
}

/** The live case that absorbed another, by itself or through others. */
export async function findPrincipal(tx: Db, id: number): Promise<CasoWithSigilo | null> {
  const row = await tx.first<Stored>(sql`
    with recursive cadeia as (
      select id, fundido_com from casos where id = ${id}
      union
      select c.id, c.fundido_com from cadeia f join casos c on c.id = f.fundido_com
    )
    select ${OPEN_COLUMNS}, c.sigilo from casos c
    where c.id = (select id from cadeia where fundido_com is null) and c.excluido_em is null`)
  return row && toCaso(row)
}

export async function findStaged(tx: Db, numero: number, linhas: number[]): Promise<Map<number, StagedCaso>> {
  const rows = await tx.rows<Stored>(sql`
    select ${OPEN_FIELDS}, c.sigilo, c.linha, c.hash from ${casosOf(numero)} c where c.linha = any(${linhas})`)
  const casos = rows.map((row) => toCaso<StagedCaso>(row))
  return new Map(casos.map((caso) => [caso.linha, caso]))
}

export interface StagedCaso extends CasoWithSigilo {
  linha: number
  hash: Buffer
}

export interface ImportOrigin {
  importacao_id: number
  usuario: { id: number | null; nome: string }
  /** Account responsible for the new cases; null when it is gone. */
  responsavel_id: number | null
}

/** Pages of the staging table on disk. */
export function countPages(tx: Db, numero: number): Promise<number> {
  return tx.value(sql`
    select pg_relation_size(${casosOf(numero).text}) / current_setting('block_size')::integer`)
}

/** Inserts the unmatched lines of a range of pages as new cases; a case created since the match violates its unique key. */
export function insertUnmatched(
  tx: Db,
  numero: number,
  { from, to }: { from: number; to: number },
  { importacao_id, usuario, responsavel_id }: ImportOrigin,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into casos (${COLUMNS}, criado_por_id, criado_por_nome, responsavel_id, criado_em, atualizado_em,
      importacao_id, importacao_linha, importacao_hash, importacao_versao, criado_por_importacao)
    select ${COLUMNS}, ${usuario.id}::integer, ${usuario.nome}::text, ${responsavel_id}::integer,
      ${now}::timestamptz, ${now}::timestamptz, ${importacao_id}::integer, s.linha, s.hash, 1, ${importacao_id}::integer
    from ${casosOf(numero)} s
    where s.ctid >= ${`(${from},0)`}::tid and s.ctid < ${`(${to},0)`}::tid
      and not exists (select from matches m where m.linha = s.linha)`)
}

/** Cases that an import wrote last, also where they changed since; without excluded ones. */
export function countImported(db: Db, importacaoId: number): Promise<number> {
  return db.value(sql`
    select count(*) from casos where importacao_id = ${importacaoId} and excluido_em is null`)
}

export interface OcorrenciaRow {
  linha: number
  numero: string | null
  texto: string
  valores: Buffer | null
}

/** A page of errors or warnings by line; `whole`: with the rows themselves, as many as `PAGE_BYTES` allow. */
export function listOcorrencias(
  db: Db,
  numero: number,
  { erro, after, size, whole = false }: { erro: boolean; after: number; size: number; whole?: boolean },
): Promise<OcorrenciaRow[]> {
  return db.rows(sql`
    select linha, numero, texto, case when ${whole} then valores end as valores from (
      select linha, numero, texto, valores,
        sum(octet_length(valores)) over (order by linha) - octet_length(valores) as antes
      from (
        select linha, numero, texto, valores from ${ocorrenciasOf(numero)}
        where erro = ${erro} and linha > ${after} order by linha limit ${size}
      ) page
    ) measured
    where not ${whole} or coalesce(antes, 0) < ${PAGE_BYTES} order by linha`)
}

/** Size of a page of whole rows, which may be a million characters each. */
const PAGE_BYTES = 8 * 1024 * 1024
