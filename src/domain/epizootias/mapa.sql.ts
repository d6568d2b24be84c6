import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type Columns, where } from '../../db/where.ts'
import type { Filter } from '../../filter.ts'
import type { CamposDaEpizootia } from './campos.ts'

export interface Celula {
  municipio: number
  eventos: number
  confirmadas: number
  animais_mortos: number
  ultima: string | null
}

interface Selecao {
  filter: Filter
  columns: Columns
  only: Sql
}

const selected = ({ filter, columns, only }: Selecao) =>
  sql`e.excluido_em is null and ${only} and ${where(filter, columns)}`

export function countByMunicipio(db: Db, selecao: Selecao): Promise<Celula[]> {
  return db.rows(sql`
    select e.municipio, count(*) as eventos, count(*) filter (where e.classificacao = 'confirmada') as confirmadas,
      coalesce(sum(e.animais_mortos), 0) as animais_mortos, max(e.data_ocorrencia) as ultima
    from epizootias e where ${selected(selecao)} group by 1 order by 1`)
}

export type Marca = Pick<
  CamposDaEpizootia,
  | 'data_ocorrencia'
  | 'ano_ocorrencia'
  | 'municipio'
  | 'especie_grupo'
  | 'suspeita'
  | 'classificacao'
  | 'animais_mortos'
  | 'latitude'
  | 'longitude'
> & { id: number }

const MARCA = sql`e.id, e.data_ocorrencia, e.ano_ocorrencia, e.municipio, e.especie_grupo, e.suspeita, e.classificacao,
  e.animais_mortos, e.latitude, e.longitude`

/** Newest first. */
export function listMarcas(db: Db, selecao: Selecao, atMost: number): Promise<Marca[]> {
  return db.rows(sql`
    select ${MARCA} from epizootias e where ${selected(selecao)}
    order by e.data_ocorrencia desc nulls last, e.id desc limit ${atMost}`)
}

export function countMarcas(db: Db, selecao: Selecao): Promise<number> {
  return db.value(sql`select count(*) from epizootias e where ${selected(selecao)}`)
}

/** Events around a place, newest first. */
export function listRecentes(
  db: Db,
  { municipios, suspeita, desde }: { municipios: number[]; suspeita: string | null; desde: string },
  { only, atMost }: { only: Sql; atMost: number },
): Promise<Marca[]> {
  const suspected = suspeita === null ? sql`true` : sql`e.suspeita = ${suspeita}`
  return db.rows(sql`
    select ${MARCA} from epizootias e
    where e.excluido_em is null and ${only} and e.municipio = any(${municipios}::integer[]) and ${suspected}
      and e.data_ocorrencia >= ${desde}::date
    order by e.data_ocorrencia desc, e.id desc limit ${atMost}`)
}
