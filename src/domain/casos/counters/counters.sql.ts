import { addDays, FIRST_DATE, LAST_DATE } from '../../../brasil/calendar.ts'
import { anoOfWeek, firstWeekOf, sundayOfWeek, weekOf } from '../../../brasil/epi-week.ts'
import type { Municipios } from '../../../brasil/municipios.ts'
import { UFS } from '../../../brasil/uf.ts'
import type { Db } from '../../../db/db.ts'
import { join, opaque, prepared, Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { type CasoColumns, casoColumns, hasOnsetIn } from '../reading/filters.sql.ts'
import {
  ANY_TIME,
  type Coverage,
  codesOf,
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

export type PlaceLevel = 'pais' | 'estado' | 'municipio'

/** Counted for the country and for states: by month, `perfil` (sex, age band and course, 'F|20-39|1') by year of onset. */
export type Dimension = 'sexo' | 'faixa_etaria' | 'data_inicio_sintomas' | 'perfil'

/** Resolution of the rows of an answer. */
export interface Grain {
  level?: PlaceLevel
  dimension?: Dimension | null
  /**
   * Coarser than `day`, days may come as the first of their month, or of the calendar; `block` is `month` without numbers below zero,
   * which days that are taken off a month have. `semana`: the Sunday of the onset, which is
   * `-infinity` for cases without one, and `infinity` where it cannot be. `ano`: the first Sunday of the year of onset, for
   * profiles of scopes with `hasProfiles`.
   */
  time?: 'day' | 'block' | 'month' | 'ever' | 'semana' | 'ano'
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

interface Target {
  level: PlaceLevel
  dimension: Dimension | null
}

/** Served by the queue `gerais`, and counted by day too. */
const isGeneral = ({ level, dimension }: Target) => dimension === null && level !== 'municipio'

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

/** One sub-select for each period, so that each is a range of the index. */
function ofPeriods(scope: Scope, { months, days }: Coverage, target: Target): Sql {
  const ofMonths = (period: Period) =>
    withQueue(scope, target, target.dimension ?? 'mes', MONTH_OF_PENDING, period)
  const ofDays = (period: Period) => withQueue(scope, target, 'dia', sql`p.dia`, period)
  return join([...(months === null ? [] : [ofMonths(months)]), ...days.map(ofDays)], ' union all ')
}

/** Counters of a series in a period, and the changes queued for them. */
function withQueue(
  scope: Scope,
  target: Target,
  series: keyof typeof SERIES,
  pendingStart: Sql,
  period: Period,
): Sql {
  const { level, dimension } = target
  const isByOnset = series === 'semana_sintomas' || series === 'perfil'
  const queue =
    isGeneral(target) && !isByOnset ? sql`casos_contagens_pendentes_gerais` : sql`casos_contagens_pendentes`
  return sql`
    select k.lugar, k.inicio, k.tipo_agravo, k.classe, k.valor, k.total, k.hospitalizados, k.obitos
    from casos_contagens k
    where k.serie = ${SERIES[series]} and ${isCounterOf(level, scope)} and ${hasClass(sql`k`, scope)}
      and ${isIn(sql`k.inicio`, period)}
    union all
    select ${PENDING_PLACE[level]}, ${pendingStart}, p.tipo_agravo, p.classe,
      ${dimension === null ? sql`''` : PENDING_VALUE[dimension]}, p.total, p.hospitalizados, p.obitos
    from ${queue} p
    where ${isPendingIn(scope)} and ${hasClass(sql`p`, scope)} and ${isIn(isByOnset ? sql`p.semana` : sql`p.dia`, period)}`
}

/** Text of the statement, not a parameter: the planner estimates each series by its own size. */
const SERIES = {
  dia: sql`'dia'`,
  mes: sql`'mes'`,
  sempre: sql`'sempre'`,
  semana_sintomas: sql`'semana_sintomas'`,
  sexo: sql`'sexo'`,
  faixa_etaria: sql`'faixa_etaria'`,
  data_inicio_sintomas: sql`'data_inicio_sintomas'`,
  perfil: sql`'perfil'`,
}

const MONTH_OF_PENDING = sql`date_trunc('month', p.dia::timestamp)::date`

const municipioKey = (estado: Sql, municipio: Sql) => sql`${estado} || lpad(${municipio}::text, 7, '0')`

const PENDING_PLACE: Record<PlaceLevel, Sql> = {
  pais: sql`''`,
  estado: sql`p.estado`,
  municipio: municipioKey(sql`p.estado`, sql`p.municipio`),
}

const PENDING_VALUE: Record<Dimension, Sql> = {
  sexo: sql`p.sexo`,
  faixa_etaria: sql`p.faixa_etaria`,
  data_inicio_sintomas: sql`p.data_inicio_sintomas`,
  perfil: sql`p.sexo || '|' || p.faixa_etaria || '|' || p.desfecho`,
}

/** Keys of the counters of states; `--` counts cases without one. */
const ESTADOS = ['--', ...UFS]

/** All counters of a level, or those of the places in scope. */
function isCounterOf(level: PlaceLevel, { lugares }: Scope): Sql {
  if (level === 'pais') return sql`k.lugar = ''`
  if (level === 'estado') {
    const estados = lugares === null ? ESTADOS : codesOf(lugares).ufs
    return sql`k.lugar = any(${opaque(estados, 'text[]')})`
  }
  if (lugares === null) return sql`length(k.lugar) > 2`
  const { ufs } = codesOf(lugares)
  // The state of a municipality's cases is its own: the rules of a case say so.
  const keys = lugares.flatMap(({ uf, codigo }) => (codigo === null ? [] : [`${uf}${codigo}`]))
  if (ufs.length === 0) return sql`k.lugar = any(${opaque(keys, 'text[]')})`
  // A range of the index for each state: behind its own key, before the first character that is no digit.
  const ranges = ufs.map(
    (uf) => sql`k.lugar > ${opaque(uf, 'text')} and k.lugar < ${opaque(`${uf}:`, 'text')}`,
  )
  const ofStates = sql`length(k.lugar) > 2 and (${join(ranges, ' or ')})`
  return keys.length === 0 ? ofStates : sql`(${ofStates} or k.lugar = any(${opaque(keys, 'text[]')}))`
}

function isPendingIn({ lugares }: Scope): Sql {
  if (lugares === null) return sql`true`
  const { ufs, codigos } = codesOf(lugares)
  if (codigos.length === 0) return sql`p.estado = any(${opaque(ufs, 'text[]')})`
  if (ufs.length === 0) return sql`p.municipio = any(${opaque(codigos, 'integer[]')})`
  return sql`(p.estado = any(${ufs}) or p.municipio = any(${codigos}::integer[]))`
}

function hasClass(table: Sql, { tipos, classes }: Scope): Sql {
  return sql`${isOneOf(sql`${table}.tipo_agravo`, tipos)} and ${isOneOf(sql`${table}.classe`, classes)}`
}

function isOneOf(column: Sql, values: string[] | null): Sql {
  return values === null ? sql`true` : sql`${column} = any(${opaque(values, 'text[]')})`
}

function isIn(day: Sql, { from, to }: Period): Sql {
  const since = from === null ? sql`true` : sql`${day} >= ${opaque(from, 'date')}`
  return to === null ? since : sql`${since} and ${day} <= ${opaque(to, 'date')}`
}

const CASO_ESTADO = sql`coalesce(c.estado_residencia, '--')`
const CASO_PLACE: Record<PlaceLevel, Sql> = {
  pais: sql`''`,
  estado: CASO_ESTADO,
  municipio: municipioKey(CASO_ESTADO, sql`coalesce(c.municipio_residencia, 0)`),
}
const CASO_CLASS = sql`coalesce(c.classificacao_final, '')`
const CASO_VALUE: Record<Dimension, Sql> = {
  sexo: sql`coalesce(c.paciente_sexo, '')`,
  faixa_etaria: sql`coalesce(faixa_etaria(c.paciente_idade), '')`,
  data_inicio_sintomas: sql`coalesce(to_char(c.data_inicio_sintomas, 'YYYY-MM-DD'), '')`,
  perfil: sql`coalesce(c.paciente_sexo, '') || '|' || coalesce(faixa_etaria(c.paciente_idade), '') || '|'
    || desfecho(c.hospitalizacao, c.evolucao)`,
}

/** The relation without counters: one row for each case of a condition; `-1` takes them off. */
function ofCasos(condition: Sql, { level, dimension }: Target, time: Grain['time'], sign: 1 | -1 = 1): Sql {
  const signed = (one: Sql) => (sign === 1 ? one : sql`-${one}`)
  const start =
    time === 'semana'
      ? sql`semana_sintomas(c.data_inicio_sintomas, c.data_notificacao)`
      : sql`c.data_notificacao`
  return sql`
    select (${CASO_PLACE[level]}) collate "C" as lugar, ${start} as inicio,
      c.tipo_agravo collate "C" as tipo_agravo, ${CASO_CLASS} collate "C" as classe,
      (${dimension === null ? sql`''` : CASO_VALUE[dimension]}) collate "C" as valor,
      ${signed(sql`1`)} as total, ${signed(sql`coalesce(c.hospitalizacao, false)::integer`)} as hospitalizados,
      ${signed(sql`coalesce(c.evolucao = 'obito', false)::integer`)} as obitos
    from casos c where c.excluido_em is null and ${condition}`
}

export function isCasoOf({ lugares, tipos, classes, period, sintomas }: Scope): Sql {
  const ofPlace = lugares === null ? sql`true` : isResidentIn(lugares)
  return sql`${ofPlace} and ${isOneOf(sql`c.tipo_agravo`, tipos)} and ${isOneOf(CASO_CLASS, classes)}
    and ${isIn(sql`c.data_notificacao`, period)} and ${hasOnsetIn(sintomas, (day) => opaque(day, 'date'))}`
}

function isResidentIn(lugares: readonly ScopePlace[]): Sql {
  const { ufs, codigos } = codesOf(lugares)
  const inStates = sql`c.estado_residencia = any(${opaque(ufs, 'text[]')})`
  if (codigos.length === 0) return inStates
  const inMunicipios = sql`c.municipio_residencia = any(${opaque(codigos, 'integer[]')})`
  return ufs.length === 0 ? inMunicipios : sql`(${inStates} or ${inMunicipios})`
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
