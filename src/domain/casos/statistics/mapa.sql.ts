import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Campos } from '../campos.ts'
import { countsOf, type Selection } from '../counters/counters.sql.ts'

export interface CellRow {
  /** Group key, as text. */
  key: string | null
  municipio: number | null
  bairro: string | null
  /** The first digits of its postal codes. */
  setor: string | null
  /** Number that may be shown, rounded down where cells are small. */
  casos: number
  /** True number, for the sum of the rest. */
  total: number
  /** A case of the cell, to decrypt its postal code from. */
  sample: number | null
}

/** Postal codes are grouped whole only in an identified read; else by their first five digits. */
export type Nivel = 'municipio' | NivelBelow
export type NivelBelow = 'bairro' | 'setor' | 'cep'

/** Smallest cell below the municipality: fewer cases could be recognised. */
export const MINIMUM_CELL = 5

const MUNICIPIO = sql`mode() within group (order by c.municipio_residencia)`

interface CellColumns {
  key: Sql
  municipio: Sql
  bairro: Sql
  setor: Sql
  sample: Sql
}

/** Grouped over the cases: below the municipality there are no counters. */
const NIVEIS: Record<Exclude<NivelBelow, 'setor'>, CellColumns> = {
  // Grouped without regard to spelling, shown in the most frequent one.
  bairro: {
    key: sql`c.municipio_residencia || ' ' || plain(c.bairro_residencia)`,
    municipio: sql`min(c.municipio_residencia)`,
    bairro: sql`mode() within group (order by c.bairro_residencia)`,
    setor: sql`null::text`,
    sample: sql`null::integer`,
  },
  cep: {
    key: sql`encode(c.cep_chave, 'hex')`,
    municipio: MUNICIPIO,
    bairro: sql`null::text`,
    setor: sql`min(c.cep_setor)`,
    sample: sql`max(c.id)`,
  },
}

/** Membership of a case in the cell `k.key`, spelt as its index is. */
const IS_INSIDE: Record<NivelBelow, Sql> = {
  bairro: sql`c.municipio_residencia = split_part(k.key, ' ', 1)::integer
    and plain(c.bairro_residencia) = substr(k.key, strpos(k.key, ' ') + 1)`,
  setor: sql`c.cep_setor = k.key`,
  cep: sql`c.cep_chave = decode(k.key, 'hex')`,
}

export function countCells(db: Db, nivel: Nivel, selection: Selection): Promise<CellRow[]> {
  if (nivel === 'municipio') return countMunicipios(db, selection)
  return nivel === 'setor' ? countSetores(db, selection) : countBelow(db, nivel, selection)
}

function countMunicipios(db: Db, selection: Selection): Promise<CellRow[]> {
  return db.rows(sql`
    select municipio::text as key, municipio, null as bairro, null as setor, null as sample,
      sum(total) as casos, sum(total) as total
    from (
      select nullif(substr(lugar, 3)::integer, 0) as municipio, total
      from (${countsOf(selection, { level: 'municipio', time: 'ever' })}) f
    ) m
    group by municipio having sum(total) <> 0 order by casos desc, 1`)
}

/**
 * Sums of a fixed table by sector, municipality, disease and month whose numbers are rounded down. The table is the same for
 * every filter, as long as that selects whole rows of it (`bySetor`).
 */
function countSetores(db: Db, { filter, columns }: Selection): Promise<CellRow[]> {
  return db.rows(sql`
    select setor as key, (array_agg(municipio order by casos desc, municipio))[1] as municipio, null as bairro,
      setor, null as sample, sum(casos) as casos, sum(total) as total
    from (
      select c.cep_setor as setor, c.municipio_residencia as municipio, count(*) as total,
        case when c.municipio_residencia is null then 0
          else count(*) / ${MINIMUM_CELL}::integer * ${MINIMUM_CELL}::integer end as casos
      from casos c where c.excluido_em is null and ${where(filter, columns)}
      group by c.cep_setor, c.municipio_residencia, c.tipo_agravo, date_trunc('month', c.data_notificacao::timestamp)
    ) cells
    group by setor order by casos desc, 1`)
}

function countBelow(
  db: Db,
  nivel: Exclude<NivelBelow, 'setor'>,
  { filter, columns }: Selection,
): Promise<CellRow[]> {
  const { key, municipio, bairro, setor, sample } = NIVEIS[nivel]
  return db.rows(sql`
    select ${key} as key, ${municipio} as municipio, ${bairro} as bairro, ${setor} as setor, ${sample} as sample,
      count(*) as casos, count(*) as total
    from casos c where c.excluido_em is null and ${where(filter, columns)}
    group by 1 order by casos desc, 1`)
}

export interface PointRow {
  key: string
  latitude: number
  longitude: number
}

/** Mean point of all cases of a cell in the territory, independent of the filter asked for. */
export function listMiddles(
  db: Db,
  nivel: NivelBelow,
  keys: string[],
  { filter, columns }: Selection,
): Promise<PointRow[]> {
  return db.rows(sql`
    select k.key, avg(c.latitude_aproximada) as latitude, avg(c.longitude_aproximada) as longitude
    from unnest(${keys}::text[]) k (key) join casos c on ${IS_INSIDE[nivel]}
    where c.excluido_em is null and c.latitude_aproximada is not null and ${where(filter, columns)}
    group by 1`)
}

/**
 * Most frequent rough point of a cell in the territory, independent of the filter asked for, where enough cases share it. A mean would disclose the place of
 * one case to a reader who moves it among others with known places.
 */
export function listSharedPoints(
  db: Db,
  nivel: NivelBelow,
  keys: string[],
  { filter, columns }: Selection,
): Promise<PointRow[]> {
  return db.rows(sql`
    select distinct on (key) key, latitude, longitude
    from (
      select k.key, c.latitude_aproximada as latitude, c.longitude_aproximada as longitude, count(*) as casos
      from unnest(${keys}::text[]) k (key) join casos c on ${IS_INSIDE[nivel]}
      where c.excluido_em is null and c.latitude_aproximada is not null and ${where(filter, columns)}
      group by 1, 2, 3 having count(*) >= ${MINIMUM_CELL}
    ) shared
    order by key, casos desc, latitude, longitude`)
}

type SealedRow = Pick<Campos, 'tipo_agravo' | 'numero_notificacao' | 'data_notificacao'> & {
  id: number
  sigilo: Buffer | null
}

export function listSealed(db: Db, ids: number[]): Promise<SealedRow[]> {
  return db.rows(sql`
    select id, tipo_agravo, numero_notificacao, data_notificacao, sigilo from casos where id = any(${ids})`)
}
