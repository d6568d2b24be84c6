import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { where } from '../../db/where.ts'
import type { Campos } from './campos.ts'
import { type Consulta, contados } from './contagens.sql.ts'

export interface CelulaRow {
  /** What the cell is grouped by, as text. */
  chave: string | null
  municipio: number | null
  bairro: string | null
  /** The first digits of its postal codes. */
  setor: string | null
  casos: number
  /** One of the cases, where its postal code must be opened. */
  exemplo: number | null
}

/** Postal codes are grouped whole only for those who may identify patients; for others by their first five digits. */
export type Nivel = 'municipio' | Abaixo
export type Abaixo = 'bairro' | 'setor' | 'cep'

const MUNICIPIO = sql`mode() within group (order by c.municipio_residencia)`

interface Celulas {
  chave: Sql
  municipio: Sql
  bairro: Sql
  setor: Sql
  exemplo: Sql
  /** Whether a case is in the cell `k.chave`, as its index has it. */
  isInside: Sql
}

/** Below the municipality, whose cases are counted. */
const NIVEIS: Record<Abaixo, Celulas> = {
  // However it is spelt; shown in the spelling that most cases have.
  bairro: {
    chave: sql`c.municipio_residencia || ' ' || plain(c.bairro_residencia)`,
    municipio: sql`min(c.municipio_residencia)`,
    bairro: sql`mode() within group (order by c.bairro_residencia)`,
    setor: sql`null::text`,
    exemplo: sql`null::integer`,
    isInside: sql`c.municipio_residencia = split_part(k.chave, ' ', 1)::integer
      and plain(c.bairro_residencia) = substr(k.chave, strpos(k.chave, ' ') + 1)`,
  },
  setor: {
    chave: sql`c.cep_setor`,
    municipio: MUNICIPIO,
    bairro: sql`null::text`,
    setor: sql`min(c.cep_setor)`,
    exemplo: sql`null::integer`,
    isInside: sql`c.cep_setor = k.chave`,
  },
  cep: {
    chave: sql`encode(c.cep_chave, 'hex')`,
    municipio: MUNICIPIO,
    bairro: sql`null::text`,
    setor: sql`min(c.cep_setor)`,
    exemplo: sql`max(c.id)`,
    isInside: sql`c.cep_chave = decode(k.chave, 'hex')`,
  },
}

export function countCells(db: Db, nivel: Nivel, consulta: Consulta): Promise<CelulaRow[]> {
  return nivel === 'municipio' ? countMunicipios(db, consulta) : countBelow(db, nivel, consulta)
}

function countMunicipios(db: Db, consulta: Consulta): Promise<CelulaRow[]> {
  return db.rows(sql`
    select municipio::text as chave, municipio, null as bairro, null as setor, null as exemplo, sum(total) as casos
    from (
      select nullif(substr(lugar, 3)::integer, 0) as municipio, total
      from (${contados(consulta, { nivel: 'municipio' })}) f
    ) m
    group by municipio having sum(total) <> 0 order by casos desc, 1`)
}

function countBelow(db: Db, nivel: Abaixo, { filter, columns }: Consulta): Promise<CelulaRow[]> {
  const { chave, municipio, bairro, setor, exemplo } = NIVEIS[nivel]
  return db.rows(sql`
    select ${chave} as chave, ${municipio} as municipio, ${bairro} as bairro, ${setor} as setor, ${exemplo} as exemplo,
      count(*) as casos
    from casos c where c.excluido_em is null and ${where(filter, columns)}
    group by 1 order by casos desc, 1`)
}

/**
 * The middle of all cases of a cell, whatever the filter: from two answers that differ by one case, nobody learns where
 * it is. Null below the number of cases that hides one among others.
 */
export function listMiddles(
  db: Db,
  nivel: Abaixo,
  chaves: string[],
  minimum: number,
): Promise<{ chave: string; latitude: number; longitude: number }[]> {
  return db.rows(sql`
    select k.chave, avg(c.latitude_aproximada) as latitude, avg(c.longitude_aproximada) as longitude
    from unnest(${chaves}::text[]) k (chave) join casos c on ${NIVEIS[nivel].isInside}
    where c.excluido_em is null and c.latitude_aproximada is not null
    group by 1 having count(*) >= ${minimum}`)
}

type Lacrado = Pick<Campos, 'tipo_agravo' | 'numero_notificacao' | 'data_notificacao'> & {
  id: number
  sigilo: Buffer | null
}

export function listLacrados(db: Db, ids: number[]): Promise<Lacrado[]> {
  return db.rows(sql`
    select id, tipo_agravo, numero_notificacao, data_notificacao, sigilo from casos where id = any(${ids})`)
}
