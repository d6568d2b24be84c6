import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Campos } from '../campos.ts'
import { type Consulta, contados } from '../counters/counters.sql.ts'

export interface CelulaRow {
  /** What the cell is grouped by, as text. */
  chave: string | null
  municipio: number | null
  bairro: string | null
  /** The first digits of its postal codes. */
  setor: string | null
  /** Shown, if any. */
  casos: number
  /** There are. */
  todos: number
  /** One of the cases, where its postal code must be opened. */
  exemplo: number | null
}

/** Postal codes are grouped whole only in an identified read; else by their first five digits. */
export type Nivel = 'municipio' | Abaixo
export type Abaixo = 'bairro' | 'setor' | 'cep'

/** Below the municipality, fewer cases than this could be recognised. */
export const MINIMUM_CELL = 5

const MUNICIPIO = sql`mode() within group (order by c.municipio_residencia)`

interface Celulas {
  chave: Sql
  municipio: Sql
  bairro: Sql
  setor: Sql
  exemplo: Sql
}

/** Below the municipality, whose cases are counted. */
const NIVEIS: Record<Exclude<Abaixo, 'setor'>, Celulas> = {
  // However it is spelt; shown in the spelling that most cases have.
  bairro: {
    chave: sql`c.municipio_residencia || ' ' || plain(c.bairro_residencia)`,
    municipio: sql`min(c.municipio_residencia)`,
    bairro: sql`mode() within group (order by c.bairro_residencia)`,
    setor: sql`null::text`,
    exemplo: sql`null::integer`,
  },
  cep: {
    chave: sql`encode(c.cep_chave, 'hex')`,
    municipio: MUNICIPIO,
    bairro: sql`null::text`,
    setor: sql`min(c.cep_setor)`,
    exemplo: sql`max(c.id)`,
  },
}

/** Membership of a case in the cell `k.chave`, spelt as its index is. */
const IS_INSIDE: Record<Abaixo, Sql> = {
  bairro: sql`c.municipio_residencia = split_part(k.chave, ' ', 1)::integer
    and plain(c.bairro_residencia) = substr(k.chave, strpos(k.chave, ' ') + 1)`,
  setor: sql`c.cep_setor = k.chave`,
  cep: sql`c.cep_chave = decode(k.chave, 'hex')`,
}

export function countCells(db: Db, nivel: Nivel, consulta: Consulta): Promise<CelulaRow[]> {
  if (nivel === 'municipio') return countMunicipios(db, consulta)
  return nivel === 'setor' ? countSetores(db, consulta) : countBelow(db, nivel, consulta)
}

function countMunicipios(db: Db, consulta: Consulta): Promise<CelulaRow[]> {
  return db.rows(sql`
    select municipio::text as chave, municipio, null as bairro, null as setor, null as exemplo,
      sum(total) as casos, sum(total) as todos
    from (
      select nullif(substr(lugar, 3)::integer, 0) as municipio, total
      from (${contados(consulta, { nivel: 'municipio' })}) f
    ) m
    group by municipio having sum(total) <> 0 order by casos desc, 1`)
}

/**
 * Sums of a table by sector, municipality, disease and month whose numbers are rounded down: it is the same whatever the
 * filter, as long as that chooses whole rows of it.
 */
function countSetores(db: Db, { filter, columns }: Consulta): Promise<CelulaRow[]> {
  return db.rows(sql`
    select setor as chave, (array_agg(municipio order by casos desc, municipio))[1] as municipio, null as bairro,
      setor, null as exemplo, sum(casos) as casos, sum(todos) as todos
    from (
      select c.cep_setor as setor, c.municipio_residencia as municipio, count(*) as todos,
        case when c.municipio_residencia is null then 0
          else count(*) / ${MINIMUM_CELL}::integer * ${MINIMUM_CELL}::integer end as casos
      from casos c where c.excluido_em is null and ${where(filter, columns)}
      group by c.cep_setor, c.municipio_residencia, c.tipo_agravo, date_trunc('month', c.data_notificacao::timestamp)
    ) tabela
    group by setor order by casos desc, 1`)
}

function countBelow(
  db: Db,
  nivel: Exclude<Abaixo, 'setor'>,
  { filter, columns }: Consulta,
): Promise<CelulaRow[]> {
  const { chave, municipio, bairro, setor, exemplo } = NIVEIS[nivel]
  return db.rows(sql`
    select ${chave} as chave, ${municipio} as municipio, ${bairro} as bairro, ${setor} as setor, ${exemplo} as exemplo,
      count(*) as casos, count(*) as todos
    from casos c where c.excluido_em is null and ${where(filter, columns)}
    group by 1 order by casos desc, 1`)
}

export interface PontoRow {
  chave: string
  latitude: number
  longitude: number
}

/** The middle of all cases of a cell, whatever the filter. */
export function listMiddles(db: Db, nivel: Abaixo, chaves: string[]): Promise<PontoRow[]> {
  return db.rows(sql`
    select k.chave, avg(c.latitude_aproximada) as latitude, avg(c.longitude_aproximada) as longitude
    from unnest(${chaves}::text[]) k (chave) join casos c on ${IS_INSIDE[nivel]}
    where c.excluido_em is null and c.latitude_aproximada is not null
    group by 1`)
}

/**
 * The rough point that most cases of a cell share, whatever the filter, where enough do: a middle would tell the place of
 * one case to whoever moves it among others whose places they know.
 */
export function listSharedPoints(db: Db, nivel: Abaixo, chaves: string[]): Promise<PontoRow[]> {
  return db.rows(sql`
    select distinct on (chave) chave, latitude, longitude
    from (
      select k.chave, c.latitude_aproximada as latitude, c.longitude_aproximada as longitude, count(*) as casos
      from unnest(${chaves}::text[]) k (chave) join casos c on ${IS_INSIDE[nivel]}
      where c.excluido_em is null and c.latitude_aproximada is not null
      group by 1, 2, 3 having count(*) >= ${MINIMUM_CELL}
    ) shared
    order by chave, casos desc, latitude, longitude`)
}

type Lacrado = Pick<Campos, 'tipo_agravo' | 'numero_notificacao' | 'data_notificacao'> & {
  id: number
  sigilo: Buffer | null
}

export function listLacrados(db: Db, ids: number[]): Promise<Lacrado[]> {
  return db.rows(sql`
    select id, tipo_agravo, numero_notificacao, data_notificacao, sigilo from casos where id = any(${ids})`)
}
