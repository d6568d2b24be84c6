import type { Db } from '../../../db/db.ts'
import { nested } from '../../../db/nested.ts'
import { isUnavailable } from '../../../db/pg-errors.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import type { DoisCasos } from './pares.sql.ts'

/** All of a case that tells who it is about. */
export interface IdentidadeRow {
  id: number
  tipo_agravo: TipoAgravo
  numero_notificacao: string
  data_notificacao: string
  paciente_sexo: string | null
  municipio_residencia: number | null
  bairro_residencia: string | null
  sigilo: Buffer
}

const IDENTIDADE = sql`c.id, c.tipo_agravo, c.numero_notificacao, c.data_notificacao, c.paciente_sexo, c.municipio_residencia,
  c.bairro_residencia, c.sigilo`

/** Serialises writers of keys and pairs: two cases that are keyed side by side would not see each other. */
export function lockIdentidades(tx: Db): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443013)`)
}

/** Takes cases out of those that wait; another worker takes others. */
export async function takePendentes(tx: Db, size: number): Promise<number[]> {
  const rows = await tx.rows<{ caso_id: number }>(sql`
    with tomados as (
      delete from duplicidades_pendentes where ctid = any(array(
        select ctid from duplicidades_pendentes limit ${size} for update skip locked))
      returning caso_id
    )
    select distinct caso_id from tomados order by caso_id`)
  return rows.map(({ caso_id }) => caso_id)
}

export function anyPendente(db: Db): Promise<boolean> {
  return db.value(sql`select exists (select from duplicidades_pendentes)`)
}

/** True where at least so many wait. */
export async function manyPendentes(db: Db, many: number): Promise<boolean> {
  return (await db.first(sql`select from duplicidades_pendentes offset ${many - 1} limit 1`)) !== null
}

/** Cases that wait lose their keys, and wait no longer: a scan then makes all keys that are missing. */
export function forgetPendentes(tx: Db): Promise<number> {
  return tx.run(sql`
    with tomados as materialized (delete from duplicidades_pendentes returning caso_id),
    chaves as (delete from casos_chaves where caso_id in (select caso_id from tomados))
    delete from casos_identidade where caso_id in (select caso_id from tomados)`)
}

/** Range of ids or of keys: after the first, up to the last. */
export interface FaixaLida<T> {
  depois: T
  ate: T
}

/** Live cases with sealed values that have no keys; two short lists, since a plan that joins them may read both tables. */
export async function listUnkeyed(db: Db, { depois, ate }: FaixaLida<number>): Promise<IdentidadeRow[]> {
  const keyed = await db.rows<{ caso_id: number }>(sql`
    select caso_id from casos_identidade where caso_id > ${depois}::bigint and caso_id <= ${ate}::bigint`)
  const rows = await db.rows<IdentidadeRow>(sql`
    select ${IDENTIDADE} from casos c
    where c.id > ${depois}::bigint and c.id <= ${ate}::bigint and c.excluido_em is null and c.sigilo is not null`)
  const ids = new Set(keyed.map(({ caso_id }) => caso_id))
  return rows.filter(({ id }) => !ids.has(id))
}

/** Of these cases, those with keys. */
export async function listKeyed(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db.rows<{ caso_id: number }>(sql`
    select caso_id from casos_identidade where caso_id = any(${ids}::integer[])`)
  return rows.map(({ caso_id }) => caso_id)
}

/** Live cases with sealed values. */
export function listIdentidades(db: Db, ids: readonly number[]): Promise<IdentidadeRow[]> {
  return db.rows(sql`
    select ${IDENTIDADE} from casos c
    where c.id = any(${ids}::integer[]) and c.excluido_em is null and c.sigilo is not null`)
}

/** Smallest id after this one; null: none. */
export function nextCasoId(db: Db, after: number): Promise<number | null> {
  return db.value(sql`select min(id) from casos where id > ${after}::bigint`)
}

export function lastCasoId(db: Db): Promise<number> {
  return db.value(sql`select coalesce(max(id), 0) from casos`)
}

/** Cases whose keys went. */
export async function forgetIdentidades(tx: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.rows<{ caso_id: number }>(sql`
    with chaves as (delete from casos_chaves where caso_id = any(${ids}::integer[]))
    delete from casos_identidade where caso_id = any(${ids}::integer[]) returning caso_id`)
  return rows.map(({ caso_id }) => caso_id)
}

/** Keys, each with its day and its case, as lists. */
export interface ChavesEmListas {
  chaves: string[]
  dias: string[]
  casos: number[]
}

/**
 * Keys that a writer of the case has added meanwhile stay. In the order of the keys: thousands of them fall on neighbouring pages of
 * the index, and writers cannot deadlock. Hardly ever is one there already, and to look for each takes as long as to write them: they
 * are looked for only where writing fails.
 */
export async function insertIdentidades(
  tx: Db,
  ids: readonly number[],
  { chaves, dias, casos }: ChavesEmListas,
): Promise<void> {
  if (ids.length === 0) return
  await tx.run(sql`insert into casos_identidade select unnest(${ids}::integer[])`)
  const chavesInOrder = sql`
    insert into casos_chaves (chave, dia, caso_id)
    select * from unnest(${unquoted(chaves)}::bigint[], ${unquoted(dias)}::date[], ${unquoted(casos)}::integer[]) k (chave, dia, caso_id)
    order by chave`
  try {
    await nested(tx).transaction((inner) => inner.run(chavesInOrder))
  } catch (error) {
    if (isUnavailable(error)) throw error
    await tx.run(sql`${chavesInOrder} on conflict do nothing`)
  }
}

/** Array of numbers or dates as a literal: the driver would look for quotes in each of a hundred thousand. */
const unquoted = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** Keys of cases that are being inserted, by their places in `novos (id, posicao)`. */
export const chavesOfNovos = (rows: readonly { chave: string; dia: string; posicao: number }[]): Sql => sql`
  insert into casos_chaves (chave, dia, caso_id)
  select k.chave, k.dia, n.id
  from unnest(${rows.map(({ chave }) => chave)}::bigint[], ${rows.map(({ dia }) => dia)}::date[],
    ${rows.map(({ posicao }) => posicao)}::bigint[]) k (chave, dia, posicao)
  join novos n on n.posicao = k.posicao`

/** In the order in which the job writes them, too: the two cannot deadlock. */
export function addChaves(tx: Db, id: number, dia: string, chaves: readonly string[]): Promise<number> {
  return tx.run(sql`
    insert into casos_chaves (chave, dia, caso_id)
    select chave, ${dia}::date, ${id}::integer from unnest(${chaves}::bigint[]) k (chave)
    order by chave
    on conflict do nothing`)
}

/** Serialises creations that share a key, in the order of the keys. */
export function lockChaves(tx: Db, chaves: readonly string[]): Promise<number> {
  return tx.run(sql`
    select pg_advisory_xact_lock(chave)
    from (select chave from unnest(${chaves}::bigint[]) k (chave) order by chave offset 0) k`)
}

export interface Contagem {
  chaves: readonly string[]
  totais: readonly number[]
}

/** In the order of the keys: writers cannot deadlock. */
export function addFrequencias(tx: Db, { chaves, totais }: Contagem): Promise<number> {
  return tx.run(sql`
    insert into nomes_frequencia as f (chave, total)
    select chave, total from unnest(${chaves}::bigint[], ${totais}::integer[]) n (chave, total) order by chave
    on conflict (chave) do update set total = f.total + excluded.total`)
}

/** As decimal numbers: they have more digits than a number of JavaScript holds. */
export function listFrequencias(
  db: Db,
  chaves: readonly string[],
): Promise<{ chave: string; total: number }[]> {
  return db.rows(sql`
    select chave::text as chave, total from nomes_frequencia where chave = any(${chaves}::bigint[])`)
}

/** Cases of one key that one is compared with; only names that stand for no name have more within the days. */
export const MOST_OF_KEY = 200

/** Cases that share a key with one of these, within so many days. */
export function listCandidatos(tx: Db, ids: readonly number[], dias: number): Promise<DoisCasos[]> {
  return tx.rows(sql`
    select distinct least(k.caso_id, o.caso_id) as caso_1, greatest(k.caso_id, o.caso_id) as caso_2
    from casos_chaves k
    cross join lateral (
      select o.caso_id from casos_chaves o
      where o.chave = k.chave and o.dia between k.dia - ${dias}::integer and k.dia + ${dias}::integer and o.caso_id <> k.caso_id
      limit ${MOST_OF_KEY}
    ) o
    where k.caso_id = any(${ids}::integer[])`)
}

export function countChaves(db: Db): Promise<number> {
  return db.value(sql`select count(*) from casos_chaves`)
}

/** Case under a key. */
export interface ChaveDoCaso {
  chave: string
  /** Days since 1970. */
  dia: number
  caso_id: number
}

/** Cases of a range of keys that share one with another within so many days, in the order of key and day. */
export function listShared(db: Db, { depois, ate }: FaixaLida<bigint>, dias: number): Promise<ChaveDoCaso[]> {
  return db.rows(sql`
    select chave::text as chave, dia - date '1970-01-01' as dia, caso_id
    from (
      select chave, dia, caso_id, lag(dia) over vizinhos as anterior, lead(dia) over vizinhos as seguinte
      from casos_chaves where chave > ${String(depois)}::bigint and chave <= ${String(ate)}::bigint
      window vizinhos as (partition by chave order by dia, caso_id)
    ) k
    where dia - anterior <= ${dias}::integer or seguinte - dia <= ${dias}::integer
    order by k.chave, k.dia, k.caso_id`)
}

/** Cases with one of these keys, of any day or of these. */
export async function listByChaves(
  db: Db,
  chaves: readonly string[],
  period: { from: string; to: string } | null,
  limit: number,
): Promise<number[]> {
  const within = period === null ? sql`true` : sql`dia between ${period.from}::date and ${period.to}::date`
  const rows = await db.rows<{ caso_id: number }>(sql`
    select distinct o.caso_id from unnest(${chaves}::bigint[]) k (chave)
    cross join lateral (
      select caso_id from casos_chaves where chave = k.chave and ${within} order by dia desc limit ${limit}
    ) o`)
  return rows.map(({ caso_id }) => caso_id)
}

/** Keys of cases that were removed while their keys were being made. */
export async function deleteOrphans(tx: Db): Promise<void> {
  await tx.run(sql`
    with orfaos as materialized (
      delete from casos_identidade i where not exists (select from casos c where c.id = i.caso_id) returning caso_id
    )
    delete from casos_chaves where caso_id in (select caso_id from orfaos)`)
}
