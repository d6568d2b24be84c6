import { type Columns, listsOf } from '../../../db/columns.ts'
import type { Db } from '../../../db/db.ts'
import { join, opaque, type Sql, sql } from '../../../db/sql.ts'
import { overCounts, type Selection } from '../counters/counters.sql.ts'
import type { PlaceLevel } from '../counters/rows.sql.ts'
import { GRUPO_CONFIRMADO } from '../enumeracoes.ts'

/** Day that a case is counted by. */
export type DataBase = 'sintomas' | 'notificacao'

/** Grain of the counters, and the Sunday of its rows, by either day. */
const WEEKS = {
  sintomas: { time: 'semana', sunday: sql`inicio` },
  notificacao: { time: 'day', sunday: sql`semana_de(inicio)` },
} as const

export interface WeekRow {
  /** Its Sunday. */
  inicio: string
  total: number
  confirmado: number
  descartado: number
  inconclusivo: number
  em_investigacao: number
  hospitalizados: number
  obitos: number
}

const NAMES = [
  'inicio',
  'total',
  'confirmado',
  'descartado',
  'inconclusivo',
  'em_investigacao',
  'hospitalizados',
  'obitos',
] as const satisfies (keyof WeekRow)[]

/** Weeks with cases, in order. */
export async function countWeeks(db: Db, base: DataBase, selection: Selection): Promise<WeekRow[]> {
  const { time, sunday } = WEEKS[base]
  const ofClass = (isClass: Sql) => sql`coalesce(sum(total) filter (where ${isClass}), 0)`
  const lists = await db.one<Columns<WeekRow>>(
    overCounts(
      selection,
      { time },
      (counts) => sql`
        select ${listsOf(NAMES)}
        from (
          select ${sunday} as inicio, sum(total) as total,
            ${ofClass(sql`classe = any(${opaque(GRUPO_CONFIRMADO, 'text[]')})`)} as confirmado,
            ${ofClass(sql`classe = 'descartado'`)} as descartado,
            ${ofClass(sql`classe = 'inconclusivo'`)} as inconclusivo,
            ${ofClass(sql`classe = ''`)} as em_investigacao,
            sum(hospitalizados) as hospitalizados, sum(obitos) as obitos
          from (${counts}) f
          group by 1 having sum(total) <> 0 order by 1
        ) semanas`,
    ),
  )
  const weekAt = (i: number) => Object.fromEntries(NAMES.map((name) => [name, lists[name][i]]))
  return lists.inicio.map((_, i) => weekAt(i) as unknown as WeekRow)
}

export interface PlaceRow {
  /** UF or IBGE code; null: unknown. */
  codigo: string | null
  total: number
  hospitalizados: number
  obitos: number
  /** Sunday of the last week with cases. */
  ultima: string
}

const PLACE_CODE: Record<'estado' | 'municipio', Sql> = {
  estado: sql`nullif(left(lugar, 2), '--')`,
  municipio: sql`nullif(substr(lugar, 3), '0000000')`,
}
type GroupLevel = Exclude<PlaceLevel, 'pais'>

/** States or municipalities with cases, the most first. */
export function countPlaces(
  db: Db,
  base: DataBase,
  level: GroupLevel,
  selection: Selection,
): Promise<PlaceRow[]> {
  const { time, sunday } = WEEKS[base]
  return db.rows(
    overCounts(
      selection,
      { level, time },
      (counts) => sql`
        select ${PLACE_CODE[level]} as codigo, sum(total) as total, sum(hospitalizados) as hospitalizados,
          sum(obitos) as obitos, max(inicio) filter (where total > 0) as ultima
        from (
          select lugar, ${sunday} as inicio, sum(total) as total, sum(hospitalizados) as hospitalizados, sum(obitos) as obitos
          from (${counts}) f
          group by 1, 2
        ) semanas
        group by 1 having sum(total) <> 0 order by 2 desc, 1 nulls last`,
    ),
  )
}

export interface PlaceWeekRow {
  codigo: string
  inicio: string
  total: number
}

/** Weeks of each state or municipality. */
export function countPlaceWeeks(
  db: Db,
  base: DataBase,
  level: GroupLevel,
  selection: Selection,
): Promise<PlaceWeekRow[]> {
  const { time, sunday } = WEEKS[base]
  return db.rows(
    overCounts(
      selection,
      { level, time },
      (counts) => sql`
        select ${PLACE_CODE[level]} as codigo, ${sunday} as inicio, sum(total) as total
        from (${counts}) f
        where ${PLACE_CODE[level]} is not null
        group by 1, 2 having sum(total) <> 0`,
    ),
  )
}

export interface PlaceBlocksRow {
  codigo: string
  /** Cases of each block of weeks, in order. */
  blocos: number[]
}

/** Blocks of weeks of each state or municipality; `begins`: the first Sunday of each block, the last one open. */
export function countPlaceBlocks(
  db: Db,
  base: DataBase,
  level: GroupLevel,
  selection: Selection,
  begins: readonly string[],
): Promise<PlaceBlocksRow[]> {
  const { time, sunday } = WEEKS[base]
  const block = sql`width_bucket(${sunday}, ${opaque(begins, 'date[]')})`
  const totals = begins.map((_, i) => sql`coalesce(sum(total) filter (where bloco = ${i + 1}), 0)`)
  return db.rows(
    overCounts(
      selection,
      { level, time },
      (counts) => sql`
        select codigo, array[${join(totals, ', ')}] as blocos
        from (select ${PLACE_CODE[level]} as codigo, ${block} as bloco, total from (${counts}) f) semanas
        where codigo is not null
        group by 1`,
    ),
  )
}
