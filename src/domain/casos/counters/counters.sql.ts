import { addDays, FIRST_DATE, LAST_DATE } from '../../../brasil/calendar.ts'
import { anoOfWeek, firstWeekOf, sundayOfWeek, weekOf } from '../../../brasil/epi-week.ts'
import type { Municipios } from '../../../brasil/municipios.ts'
import type { Db } from '../../../db/db.ts'
import { join, prepared, Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { type CasoColumns, casoColumns } from '../reading/filters.sql.ts'
import {
  type Grain,
  isCasoOf,
  isGeneral,
  ofCasos,
  type PlaceLevel,
  type Target,
  withQueue,
} from './rows.sql.ts'
import {
  ANY_TIME,
  type Coverage,
  coverageOf,
  isLimited,
  monthOf,
  nearestCoverageOf,
  type Period,
  type Scope,
  type ScopePlace,
  scopeOf,
} from './scope.ts'

/**
 * Numbers of cases, from the counters where they have them, else from the cases:
 *
 *   asked by                place            time              disease, class   sex, age, onset   answered from
 *   ----------------------  ---------------  ----------------  ---------------  ----------------  --------------------------------------
 *   list: total, page       country, state   day, month, ever  yes              –                 counters + queue `gerais`
 *   list of municipalities  municipality     month, ever       yes              –                 counters + queue `detalhes`; days that
 *                                                                                                 are beside whole months, or have to be
 *                                                                                                 taken off them, from `casos`
 *   statistics              country, state   month             yes              yes               counters + queue `detalhes`
 *   weeks of onset          any              week              yes              –                 counters + queue `detalhes`
 *   profiles                country, state   year of onset     yes              sex with age      counters + queue `detalhes`
 *   anything else           any              any               any              any               `casos`
 *
 * "Anything else" are filters without a scope: `or`, `ne`, other fields. Every answer is one relation to sum up,
 * `(lugar, inicio, tipo_agravo, classe, valor, total, hospitalizados, obitos)`. Counters and queue are read in one statement,
 * hence in one snapshot: the sums are exact while rows move from one to the other.
 */

/** A filter, as a condition on the cases and as a scope of the counters. */
export interface Selection {
  filter: Filter
  columns: CasoColumns
  /** Null: the counters cannot answer. */
  scope: Scope | null
}

export function selectionOf(filter: Filter, municipios: Municipios): Selection {
  return { filter, columns: casoColumns(municipios), scope: scopeOf(filter, municipios) }
}

/** The relation to sum up: counters and cases that make up an answer, by the table above. */
export function countsOf(selection: Selection, grain: Grain = {}): Sql {
  const { level = 'pais', dimension = null, time = 'month' } = grain
  const { filter, columns, scope } = selection
  if (scope === null) return ofCasos(where(filter, columns), { level, dimension }, time)
  return join(
    partsOf(scope, grain).map((part) => rowsOf(part, { level, dimension }, time)),
    ' union all ',
  )
}

/** Cases of a scope that no counter has, to be added or, with `-1`, to be taken off. */
interface Uncounted {
  scope: Scope
  /** First day of the month that they are all of; null: of several. */
  mes: string | null
  sign: 1 | -1
}
type Part = Sql | Uncounted
type DaysOfMonth = Uncounted & { mes: string }
const isOfMonth = (part: Part): part is DaysOfMonth => !(part instanceof Sql) && part.mes !== null

const rowsOf = (part: Part, target: Target, time: Grain['time']): Sql =>
  part instanceof Sql ? part : ofCasos(isCasoOf(part.scope), target, time, part.sign)

function partsOf(scope: Scope, { level = 'pais', dimension = null, time = 'month' }: Grain): Part[] {
  return byLevel(scope, level).flatMap((part) =>
    partsOfLevel(part.scope, { level: part.level, dimension }, time),
  )
}

/**
 * The relation by month, and apart from it the days whose cases are counted; null where there are none. Half a month of a large city is a
 * thousand cases: counting them takes a third of the time of summing them up as rows of the relation.
 */
export function countsAndDays({ scope }: Selection): { counts: Sql; days: DaysOfMonth[] } | null {
  const parts = scope === null ? [] : partsOf(scope, {})
  const days = parts.filter(isOfMonth)
  const others = parts.filter((part) => !isOfMonth(part))
  if (days.length === 0 || others.length === 0) return null
  const rows = others.map((part) => rowsOf(part, { level: 'pais', dimension: null }, 'month'))
  return { counts: join(rows, ' union all '), days }
}

function monthWith({ from, to }: Period): string | null {
  if (from === null || to === null) return null
  const month = monthOf(from)
  return to <= month.to ? month.from : null
}

/** Statement over that relation. Prepared for a scope, since indexes of counters and cases serve any place, disease and period. */
export function overCounts(selection: Selection, grain: Grain, statementOf: (counts: Sql) => Sql): Sql {
  const statement = statementOf(countsOf(selection, grain))
  return selection.scope === null ? statement : prepared(statement)
}

/** A scope cut by the level of the counters that answer it: whole states by those of states, municipalities by their own. */
function byLevel(scope: Scope, wanted: PlaceLevel): { level: PlaceLevel; scope: Scope }[] {
  const { lugares } = scope
  if (lugares === null || wanted === 'municipio') return [{ level: wanted, scope }]
  const isWhole = ({ codigo }: ScopePlace) => codigo === null
  const parts = [
    { level: 'estado' as const, lugares: lugares.filter(isWhole) },
    { level: 'municipio' as const, lugares: lugares.filter((lugar) => !isWhole(lugar)) },
  ].filter((part) => part.lugares.length > 0)
  if (parts.length === 0) return [{ level: 'estado', scope }]
  return parts.map(({ level, lugares }) => ({ level, scope: { ...scope, lugares } }))
}

function partsOfLevel(scope: Scope, target: Target, time: Grain['time']): Part[] {
  const { dimension } = target
  const { period, sintomas } = scope
  const ofTheCasos = (part: Period, sign: 1 | -1 = 1): Uncounted => ({
    scope: { ...scope, period: part },
    mes: monthWith(part),
    sign,
  })
  if (dimension === 'perfil') return [time === 'ano' ? ofAnos(scope, target) : ofTheCasos(period)]
  if (time === 'semana' || isLimited(sintomas)) {
    const isCounted = dimension === null && (time === 'semana' || time === 'ever') && !isLimited(period)
    return [isCounted ? ofSemanas(scope, target) : ofTheCasos(period)]
  }
  if (dimension === null && time === 'ever' && !isLimited(period)) return [ofEver(scope, target)]
  if (isGeneral(target))
    return [ofPeriods(scope, time === 'day' ? { months: null, days: [period] } : coverageOf(period), target)]
  if (time === 'day' || (dimension !== null && target.level === 'municipio')) return [ofTheCasos(period)]
  const { months, days, surplus } =
    time === 'block' ? { ...coverageOf(period), surplus: [] } : nearestCoverageOf(period)
  return [
    ...(months === null ? [] : [ofPeriods(scope, { months, days: [] }, target)]),
    ...days.map((part) => ofTheCasos(part)),
    ...surplus.map((part) => ofTheCasos(part, -1)),
  ]
}

/** Sums over the whole table have a series of their own: adding up every month there is would cost ten times as much. */
function ofEver(scope: Scope, target: Target): Sql {
  return withQueue(scope, target, 'sempre', sql`date '0001-01-01'`, ANY_TIME)
}

/** Weeks of onset. With a limit, the reserved ones are left out. */
function ofSemanas(scope: Scope, target: Target): Sql {
  return withQueue(scope, target, 'semana_sintomas', sql`p.semana`, onsetsOf(scope))
}

/** A year begins inside of a period of whole years exactly where its weeks are inside. */
function ofAnos(scope: Scope, target: Target): Sql {
  return withQueue(scope, target, 'perfil', sql`ano_da_semana(p.semana)`, onsetsOf(scope))
}

function onsetsOf({ sintomas }: Scope): Period {
  const { from, to } = sintomas
  return isLimited(sintomas) ? { from: from ?? FIRST_DATE, to: to ?? LAST_DATE } : ANY_TIME
}

/** True where the series `perfil` answers a scope: the country or whole states, all weeks of onset of some years up to `today`. */
export function hasProfiles(scope: Scope | null, today: string): boolean {
  if (scope === null || isLimited(scope.period)) return false
  if (scope.lugares?.some(({ codigo }) => codigo !== null)) return false
  const { from, to } = scope.sintomas
  const isFirstDay = (day: string) => day === sundayOfWeek(firstWeekOf(anoOfWeek(weekOf(day))))
  return (from === null || isFirstDay(from)) && (to === null || to >= today || isFirstDay(addDays(to, 1)))
}

const MONTH_OF_PENDING = sql`date_trunc('month', p.dia::timestamp)::date`

/** One sub-select for each period, so that each is a range of the index. */
function ofPeriods(scope: Scope, { months, days }: Coverage, target: Target): Sql {
  const ofMonths = (period: Period) =>
    withQueue(scope, target, target.dimension ?? 'mes', MONTH_OF_PENDING, period)
  const ofDays = (period: Period) => withQueue(scope, target, 'dia', sql`p.dia`, period)
  return join([...(months === null ? [] : [ofMonths(months)]), ...days.map(ofDays)], ' union all ')
}

export function countCasos(db: Db, selection: Selection): Promise<number> {
  return db.value(
    overCounts(
      selection,
      { time: 'ever' },
      (counts) => sql`select coalesce(sum(total), 0) as total from (${counts}) f`,
    ),
  )
}

/** First day of a month or day of the list, and the number of its rows before the one looked for. */
export interface Block {
  start: string
  offset: number
}

/** The month or day that holds the row at `offset`, in the order of days: a running total over the counters. */
export function findBlock(
  db: Db,
  selection: Selection,
  time: 'day' | 'block',
  order: 'asc' | 'desc',
  offset: number,
): Promise<Block | null> {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  return db.first(
    overCounts(
      selection,
      { time },
      (counts) => sql`
        select inicio as start, ${offset}::bigint - before as "offset"
        from (
          select inicio, total, sum(total) over (order by inicio ${direction}) - total as before
          from (select inicio, sum(total) as total from (${counts}) f group by 1) blocks
        ) running
        where before <= ${offset}::bigint and before + total > ${offset}::bigint`,
    ),
  )
}
