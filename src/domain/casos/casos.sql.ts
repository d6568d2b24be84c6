import type { Db } from '../../db/db.ts'
import { prepared, type Sql, sql } from '../../db/sql.ts'
import { limit, orderBy, where } from '../../db/where.ts'
import type { ListQuery } from '../../filter.ts'
import { type Campos, CHAVES_DE_DADOS, COLUNAS } from './campos.ts'
import type { CamposAbertos } from './historico.ts'
import type { Selado } from './sigilo.ts'

/** A case without what identifies the patient: all that most readers ever fetch. */
export interface CasoRow extends CamposAbertos {
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

export const ABERTO = sql`
  c.id, c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.data_inicio_sintomas, c.paciente_iniciais,
  c.paciente_idade, c.paciente_sexo, c.paciente_gestante, c.paciente_raca, c.paciente_escolaridade, c.paciente_ocupacao,
  c.municipio_residencia, c.estado_residencia, c.bairro_residencia, c.zona_residencia,
  c.municipio_infeccao, c.estado_infeccao, c.pais_infeccao,
  c.classificacao_inicial, c.classificacao_final, c.criterio_confirmacao, c.evolucao,
  c.data_obito, c.data_encerramento, c.data_investigacao, c.hospitalizacao, c.data_internacao, c.uti, c.status,
  c.unidade_cnes as "unidade_notificante.cnes", c.dados, c.criado_em, c.atualizado_em, c.versao,
  c.importacao_id, c.importacao_linha`

const PESSOAS = sql`
  case when c.criado_por_nome is not null
    then jsonb_build_object('id', c.criado_por_id, 'nome', c.criado_por_nome) end as criado_por,
  (select jsonb_build_object('id', u.id, 'nome', u.nome) from usuarios u where u.id = c.responsavel_id) as responsavel`

/**
 * Copied, all fields are there at once: a row that is given them one by one takes four times the memory. Parsed, since only
 * what is made whole can be copied whole.
 */
const SEM_DADOS: Record<string, null> = JSON.parse(
  JSON.stringify(Object.fromEntries(CHAVES_DE_DADOS.map(([nome]) => [nome, null]))),
)

/** `dados` spread into its fields, with nulls where nothing is told. */
export function toCaso<T extends CasoRow>(row: Stored): T {
  const caso: Record<string, unknown> = { ...SEM_DADOS, ...row }
  for (const [nome, chave] of CHAVES_DE_DADOS)
    if (row.dados[chave] !== undefined) caso[nome] = row.dados[chave]
  return caso as unknown as T
}

/** Moment as text, `2026-03-12T14:05:09.123Z`: a row of a list needs no Date. */
function isoText(moment: Sql): Sql {
  return sql`to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Columns of a listed case, and no more: reading the fields of each row is most of what a list costs. */
export interface CasoListado
  extends Pick<
    CasoRow,
    | 'id'
    | 'tipo_agravo'
    | 'numero_notificacao'
    | 'data_notificacao'
    | 'data_inicio_sintomas'
    | 'paciente_iniciais'
    | 'paciente_idade'
    | 'paciente_sexo'
    | 'paciente_gestante'
    | 'municipio_residencia'
    | 'estado_residencia'
    | 'bairro_residencia'
    | 'zona_residencia'
    | 'classificacao_final'
    | 'criterio_confirmacao'
    | 'evolucao'
    | 'hospitalizacao'
    | 'status'
    | 'unidade_notificante.cnes'
  > {
  dados: Partial<Record<string, unknown>>
  /** Moments as text, as the interface writes them. */
  criado_em: string
  atualizado_em: string
}

export const LISTADO = sql`
  c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.data_inicio_sintomas, c.paciente_iniciais,
  c.paciente_idade, c.paciente_sexo, c.paciente_gestante,
  c.municipio_residencia, c.estado_residencia, c.bairro_residencia, c.zona_residencia,
  c.classificacao_final, c.criterio_confirmacao, c.evolucao, c.hospitalizacao, c.status,
  c.unidade_cnes as "unidade_notificante.cnes", c.dados,
  ${isoText(sql`c.criado_em`)} as criado_em, ${isoText(sql`c.atualizado_em`)} as atualizado_em`

/** Each in the place of its id. */
export async function findCasos(db: Db, ids: number[]): Promise<(CasoRow | null)[]> {
  const rows = await db.rows<Stored & { id: number }>(
    prepared(sql`
      select ${ABERTO}, ${PESSOAS} from casos c where c.id = any(${ids}::integer[]) and c.excluido_em is null`),
  )
  const byId = new Map(rows.map((row) => [row.id, toCaso<CasoRow>(row)]))
  return ids.map((id) => byId.get(id) ?? null)
}

/** For the identified read and for changes, which need the whole record. */
export async function findCasoWithSigilo(db: Db, id: number): Promise<CasoWithSigilo | null> {
  const row = await db.first<Stored>(sql`
    select ${ABERTO}, ${PESSOAS}, c.sigilo from casos c where c.id = ${id} and c.excluido_em is null`)
  return row && toCaso(row)
}

export interface CasoTravado {
  id: number
  versao: number
  excluido: boolean
  tipo_agravo: string
  numero_notificacao: string
  estado_residencia: string | null
  municipio_residencia: number | null
}

const TRAVADO = sql`id, versao, excluido_em is not null as excluido,
  tipo_agravo, numero_notificacao, estado_residencia, municipio_residencia`

export function lockCaso(db: Db, id: number): Promise<CasoTravado | null> {
  return db.first(sql`select ${TRAVADO} from casos where id = ${id} for update`)
}

/** What is in `dados`: all that is told, by its key. */
export function dadosOf(campos: Campos): Record<string, unknown> {
  const dados: Record<string, unknown> = {}
  for (const [nome, chave] of CHAVES_DE_DADOS) if (campos[nome] !== null) dados[chave] = campos[nome]
  return dados
}

/** The one field whose column has another name. */
const CNES = 'unidade_notificante.cnes'

/** What `COLUMNS` hold, as JSON that PostgreSQL reads as a row of the table. */
function storedOf(campos: Campos, { sigilo, cep_chave, ...approximate }: Selado): Record<string, unknown> {
  const stored: Record<string, unknown> = {
    ...approximate,
    cep_chave: cep_chave && hex(cep_chave),
    unidade_cnes: campos[CNES],
    dados: dadosOf(campos),
    sigilo: sigilo && hex(sigilo),
  }
  for (const nome of COLUNAS) if (nome !== CNES) stored[nome] = campos[nome]
  return stored
}

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`

export const COLUMNS = sql`
  tipo_agravo, numero_notificacao, data_notificacao, data_inicio_sintomas,
  paciente_iniciais, paciente_idade, paciente_sexo, paciente_gestante,
  paciente_raca, paciente_escolaridade, paciente_ocupacao,
  municipio_residencia, estado_residencia, bairro_residencia, zona_residencia,
  cep_setor, cep_chave, latitude_aproximada, longitude_aproximada,
  municipio_infeccao, estado_infeccao, pais_infeccao,
  classificacao_inicial, classificacao_final, criterio_confirmacao, evolucao,
  data_obito, data_encerramento, data_investigacao,
  hospitalizacao, data_internacao, uti, status,
  unidade_cnes, dados, sigilo`

export interface NovoCaso {
  campos: Campos
  selado: Selado
  by: { id: number; nome: string }
  now: Date
}

/** The ids of the cases, in their order. `beside` is done in the same statement, and finds them in `novos (id, posicao)`. */
export async function insertCasos(db: Db, novos: NovoCaso[], beside: Sql): Promise<number[]> {
  const stored = novos.map(({ campos, selado, by, now }) => ({
    ...storedOf(campos, selado),
    criado_por_id: by.id,
    criado_por_nome: by.nome,
    criado_em: now,
  }))
  const rows = await db.rows<{ id: number }>(
    prepared(sql`
      with inseridos as (
        insert into casos (${COLUMNS}, criado_por_id, criado_por_nome, responsavel_id, criado_em, atualizado_em)
        select ${COLUMNS}, criado_por_id, criado_por_nome, criado_por_id, criado_em, criado_em
        from json_populate_recordset(null::casos, ${JSON.stringify(stored)}::json) with ordinality
        order by ordinality
        returning id
      ), novos as (
        select id, row_number() over (order by id) as posicao from inseridos
      ), ao_lado as (${beside})
      select id from novos order by posicao`),
  )
  return rows.map(({ id }) => id)
}

/** The whole row: what did not change is written as it was. */
export function updateCaso(
  db: Db,
  id: number,
  versao: number,
  campos: Campos,
  selado: Selado,
  now: Date,
): Promise<number> {
  return db.run(
    prepared(sql`
      update casos set (${COLUMNS}, versao, atualizado_em) = (
        select ${COLUMNS}, ${versao}::integer, ${now}::timestamptz
        from json_populate_record(null::casos, ${JSON.stringify(storedOf(campos, selado))}::json))
      where id = ${id}`),
  )
}

/** What a case remembers of the import that wrote it last. */
export interface Marca {
  importacao_id: number | null
  importacao_linha: number | null
  importacao_hash: Buffer | null
  /** The case as it is now is what that import made of it. */
  intacto: boolean
}

export function markImported(db: Db, id: number, marca: Marca): Promise<number> {
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

export function unmarkExcluido(db: Db, id: number, versao: number, now: Date): Promise<number> {
  return db.run(sql`
    update casos
    set excluido_em = null, excluido_por_id = null, excluido_por_nome = null, versao = ${versao}, atualizado_em = ${now}
    where id = ${id}`)
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
  tipo_agravo: string
  numero_notificacao: string
  data_notificacao: string
  paciente_iniciais: string | null
  excluido_em: Date
  excluido_por_id: number | null
  excluido_por_nome: string | null
}

const EXCLUIDOS = {
  fields: {
    id: sql`c.id`,
    tipo_agravo: sql`c.tipo_agravo`,
    numero_notificacao: sql`c.numero_notificacao`,
    data_notificacao: sql`c.data_notificacao`,
    excluido_em: sql`c.excluido_em`,
  },
  required: new Set(['id', 'excluido_em']),
  search: (contains: string) => sql`plain(c.numero_notificacao) like plain(${contains})`,
}

export function listExcluidos(db: Db, list: ListQuery): Promise<ExcluidoRow[]> {
  return db.rows(sql`
    select c.id, c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.paciente_iniciais,
      c.excluido_em, c.excluido_por_id, c.excluido_por_nome
    from casos c
    where c.excluido_em is not null and ${where(list.filter, EXCLUIDOS)}
    ${orderBy(list, EXCLUIDOS, sql`c.id`)} ${limit(list)}`)
}

export async function countExcluidos(db: Db, { filter }: ListQuery): Promise<number> {
  const row = await db.first<{ total: number }>(sql`
    select count(*) as total from casos c where c.excluido_em is not null and ${where(filter, EXCLUIDOS)}`)
  return (row as { total: number }).total
}

/** Everything one account answers for changes hands, with a line in the history of each case. */
export async function transferCasos(
  db: Db,
  from: { id: number; nome: string },
  to: { id: number; nome: string },
  by: { id: number; nome: string },
  now: Date,
): Promise<CasoTravado[]> {
  return db.rows(sql`
    with moved as (
      update casos set responsavel_id = ${to.id}, versao = versao + 1, atualizado_em = ${now}
      where responsavel_id = ${from.id}
      returning ${TRAVADO}
    ), noted as (
      insert into casos_historico (caso_id, versao, data, acao, usuario_id, usuario_nome, alteracoes)
      select id, versao, ${now}::timestamptz, 'transferido', ${by.id}::integer, ${by.nome}::text,
        ${JSON.stringify({ responsavel: [from, to] })}::jsonb
      from moved
    )
    select * from moved`)
}
