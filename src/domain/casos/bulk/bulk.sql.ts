import { copyLine } from '../../../db/copy-line.ts'
import type { Db } from '../../../db/db.ts'
import { identifier, type Sql, sql } from '../../../db/sql.ts'
import type { Campos } from '../campos.ts'
import { ABERTO, type CasoWithSigilo, COLUMNS, dadosOf, type Stored, toCaso } from '../casos.sql.ts'
import type { Selado } from '../sigilo.ts'

/**
 * Many cases at once. They are first copied into a table of their own (`preparo.casos_<n>`, not logged: what a crash of
 * the database takes is read again from the file), then compared with the cases and moved over in one transaction.
 */

const casosOf = (numero: number) => identifier(`preparo.casos_${numero}`)
const ocorrenciasOf = (numero: number) => identifier(`preparo.ocorrencias_${numero}`)

export async function createLote(db: Db, numero: number): Promise<void> {
  await db.run(sql`
    create unlogged table if not exists ${casosOf(numero)} as
    select ${COLUMNS}, 0 as linha, ''::bytea as hash, false as derivado from casos with no data`)
  await db.run(sql`
    create unlogged table if not exists ${ocorrenciasOf(numero)} (
      linha integer not null, erro boolean not null, numero text, texto text not null, valores bytea
    )`)
  // Read page by page in this order: without it, each page would look through all of them.
  await db.run(sql`
    create index if not exists ${identifier(`ocorrencias_${numero}__linha`)} on ${ocorrenciasOf(numero)} (linha)`)
}

export async function dropLote(db: Db, numero: number): Promise<void> {
  await db.run(sql`drop table if exists ${casosOf(numero)}, ${ocorrenciasOf(numero)}`)
}

export async function emptyLote(db: Db, numero: number): Promise<void> {
  await db.run(sql`truncate ${casosOf(numero)}, ${ocorrenciasOf(numero)}`)
}

export async function countLote(db: Db, numero: number): Promise<{ casos: number; ocorrencias: number }> {
  const row = await db.first<{ casos: number; ocorrencias: number }>(sql`
    select (select count(*) from ${casosOf(numero)}) as casos,
      (select count(*) from ${ocorrenciasOf(numero)}) as ocorrencias`)
  return row as NonNullable<typeof row>
}

/** Tables whose job is no longer in the queue: of workers that died while they dropped them. */
export function listLeftLotes(db: Db): Promise<{ tabela: string }[]> {
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
  return db.copy(sql`copy ${casosOf(numero)} from stdin`, lines)
}

export function copyOcorrencias(db: Db, numero: number, lines: (Buffer | string)[]): Promise<number> {
  return db.copy(sql`copy ${ocorrenciasOf(numero)} from stdin`, lines)
}

/** In the order of `COLUMNS`. */
export function copyCasoLine(
  campos: Campos,
  selado: Selado,
  { linha, hash, derivado }: { linha: number; hash: Buffer; derivado: boolean },
): string {
  return copyLine([
    campos.tipo_agravo,
    campos.numero_notificacao,
    campos.data_notificacao,
    campos.data_inicio_sintomas,
    selado.paciente_iniciais,
    campos.paciente_idade,
    campos.paciente_sexo,
    campos.paciente_gestante,
    campos.paciente_raca,
    campos.paciente_escolaridade,
    campos.paciente_ocupacao,
    campos.municipio_residencia,
    campos.estado_residencia,
    campos.bairro_residencia,
    campos.zona_residencia,
    selado.cep_setor,
    selado.cep_chave,
    selado.latitude_aproximada,
    selado.longitude_aproximada,
    campos.municipio_infeccao,
    campos.estado_infeccao,
    campos.pais_infeccao,
    campos.classificacao_inicial,
    campos.classificacao_final,
    campos.criterio_confirmacao,
    campos.evolucao,
    campos.data_obito,
    campos.data_encerramento,
    campos.data_investigacao,
    campos.hospitalizacao,
    campos.data_internacao,
    campos.uti,
    campos.status,
    campos['unidade_notificante.cnes'],
    JSON.stringify(dadosOf(campos)),
    selado.sigilo,
    linha,
    hash,
    derivado,
  ])
}

/** What a crash of the database takes here is read again: its disk need not be waited for. */
export function relaxCommit(tx: Db): Promise<number> {
  return tx.run(sql`set local synchronous_commit = off`)
}

/** Room to sort and hash a large file without going to disk more than needed, and time. */
export async function prepareForBulk(tx: Db): Promise<void> {
  await tx.run(sql`set local work_mem = '128MB'`)
  await tx.run(sql`set local statement_timeout = 0`)
  await tx.run(sql`set local parallel_setup_cost to default`)
  // One import at a time writes: two files with the same cases would wait for each other row by row.
  await tx.run(sql`select pg_advisory_xact_lock(8443007)`)
}

/** Only what cases are told apart by is compared. */
export async function analyzeLote(tx: Db, numero: number): Promise<void> {
  await tx.run(sql`analyze ${casosOf(numero)} (linha, numero_notificacao, data_notificacao, tipo_agravo)`)
}

/** For those who ask for lines by their number. */
export async function indexLinhas(tx: Db, numero: number): Promise<void> {
  await tx.run(sql`
    create index if not exists ${identifier(`casos_${numero}__linha`)} on ${casosOf(numero)} (linha)`)
}

/** Rows without a number of their own that are equal in all they tell: from the second on. */
export function listEqualDerived(
  tx: Db,
  numero: number,
): Promise<{ linha: number; vez: number; numero_notificacao: string }[]> {
  return tx.rows(sql`
    select linha, vez, numero_notificacao from (
      select linha, numero_notificacao,
        row_number() over (partition by numero_notificacao, data_notificacao, tipo_agravo order by linha) as vez
      from ${casosOf(numero)} where derivado
    ) repeated where vez > 1`)
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

/** The same case twice in a file: the last line counts. */
export function deleteRepeated(
  tx: Db,
  numero: number,
): Promise<{ linha: number; numero_notificacao: string }[]> {
  return tx.rows(sql`
    with repeated as (
      select numero_notificacao, data_notificacao, tipo_agravo, max(linha) as ultima
      from ${casosOf(numero)} group by 1, 2, 3 having count(*) > 1
    )
    delete from ${casosOf(numero)} s using repeated r
    where s.numero_notificacao = r.numero_notificacao and s.data_notificacao = r.data_notificacao
      and s.tipo_agravo = r.tipo_agravo and s.linha <> r.ultima
    returning s.linha, s.numero_notificacao`)
}

/** Joins lines to existing cases, and marks those that repeat the line imported last (`by` one account alone). */
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
    create temporary table casados on commit drop as
    select s.linha, c.id, coalesce(c.importacao_hash = s.hash and ${known}, false) as igual
    from ${casosOf(numero)} s
    join casos c on c.numero_notificacao = s.numero_notificacao and c.data_notificacao = s.data_notificacao
      and c.tipo_agravo = s.tipo_agravo and c.excluido_em is null`)
  await tx.run(sql`create unique index on casados (linha)`)
  await tx.run(sql`analyze casados`)
}

export async function countMatches(
  tx: Db,
  numero: number,
): Promise<{ total: number; casados: number; iguais: number }> {
  const row = await tx.first<{ total: number; casados: number; iguais: number }>(sql`
    select (select count(*) from ${casosOf(numero)}) as total, count(*) as casados,
      count(*) filter (where igual) as iguais
    from casados`)
  return row as NonNullable<typeof row>
}

export function listDiffering(tx: Db, after: number, size: number): Promise<{ linha: number; id: number }[]> {
  return tx.rows(sql`
    select linha, id from casados where not igual and linha > ${after} order by linha limit ${size}`)
}

export interface CasoImportado extends CasoWithSigilo {
  importacao: MarcaDeImportacao
}

export interface MarcaDeImportacao {
  importacao_id: number | null
  importacao_linha: number | null
  importacao_hash: string | null
  /** Whether nothing changed it since. */
  intacto: boolean
}

const MARCA = sql`jsonb_build_object(
  'importacao_id', c.importacao_id, 'importacao_linha', c.importacao_linha,
  'importacao_hash', encode(c.importacao_hash, 'hex'), 'intacto', c.importacao_versao = c.versao) as importacao`

/** Locked: from here to the commit nobody else changes them. */
export async function lockCasosByIds(tx: Db, ids: number[]): Promise<Map<number, CasoImportado>> {
  const rows = await tx.rows<Stored>(sql`
    select ${ABERTO}, c.sigilo, ${MARCA} from casos c where c.id = any(${ids}) order by c.id for update`)
  return new Map(rows.map((row) => toCaso<CasoImportado>(row)).map((row) => [row.id, row]))
}

export async function findLinhas(
  tx: Db,
  numero: number,
  linhas: number[],
): Promise<Map<number, CasoWithSigilo & { linha: number; hash: Buffer }>> {
  const rows = await tx.rows<Stored>(sql`
    select ${STAGED}, c.sigilo, c.linha, c.hash from ${casosOf(numero)} c where c.linha = any(${linhas})`)
  const casos = rows.map((row) => toCaso<CasoWithSigilo & { linha: number; hash: Buffer }>(row))
  return new Map(casos.map((caso) => [caso.linha, caso]))
}

const STAGED: Sql = sql`
  c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.data_inicio_sintomas, c.paciente_iniciais,
  c.paciente_idade, c.paciente_sexo, c.paciente_gestante, c.paciente_raca, c.paciente_escolaridade, c.paciente_ocupacao,
  c.municipio_residencia, c.estado_residencia, c.bairro_residencia, c.zona_residencia,
  c.municipio_infeccao, c.estado_infeccao, c.pais_infeccao,
  c.classificacao_inicial, c.classificacao_final, c.criterio_confirmacao, c.evolucao,
  c.data_obito, c.data_encerramento, c.data_investigacao, c.hospitalizacao, c.data_internacao, c.uti, c.status,
  c.unidade_cnes as "unidade_notificante.cnes", c.dados`

export interface OrigemDoLote {
  importacao_id: number
  usuario: { id: number | null; nome: string }
  /** Who answers for the new cases; null when the account is gone. */
  responsavel_id: number | null
}

/** How long its table is. */
export async function countPaginas(tx: Db, numero: number): Promise<number> {
  const row = await tx.first<{ paginas: number }>(sql`
    select pg_relation_size(${casosOf(numero).text}) / current_setting('block_size')::integer as paginas`)
  return (row as { paginas: number }).paginas
}

/** The lines of a stretch of pages that are no case yet become one; refused when one of them is by now. */
export function insertNovos(
  tx: Db,
  numero: number,
  { de, ate }: { de: number; ate: number },
  { importacao_id, usuario, responsavel_id }: OrigemDoLote,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into casos (${COLUMNS}, criado_por_id, criado_por_nome, responsavel_id, criado_em, atualizado_em,
      importacao_id, importacao_linha, importacao_hash, importacao_versao, criado_por_importacao)
    select ${COLUMNS}, ${usuario.id}::integer, ${usuario.nome}::text, ${responsavel_id}::integer,
      ${now}::timestamptz, ${now}::timestamptz, ${importacao_id}::integer, s.linha, s.hash, 1, ${importacao_id}::integer
    from ${casosOf(numero)} s
    where s.ctid >= ${`(${de},0)`}::tid and s.ctid < ${`(${ate},0)`}::tid
      and not exists (select from casados m where m.linha = s.linha)`)
}

/** Cases that an import wrote last, whatever happened to them since; excluded ones do not count. */
export async function countImported(db: Db, importacaoId: number): Promise<number> {
  const row = await db.first<{ total: number }>(sql`
    select count(*) as total from casos where importacao_id = ${importacaoId} and excluido_em is null`)
  return (row as { total: number }).total
}

export interface OcorrenciaRow {
  linha: number
  numero: string | null
  texto: string
  valores: Buffer | null
}

export function listOcorrencias(
  db: Db,
  numero: number,
  erro: boolean,
  after: number,
  size: number,
  whole: boolean,
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

/** Of whole rows a page: they may be long, and one more or less does not matter. */
const PAGE_BYTES = 8 * 1024 * 1024
