import { addDays, daysBetween, FIRST_DATE, LAST_DATE } from '../../../brasil/calendar.ts'
import { firstDayOf, semanaByCodigo } from '../../../brasil/epi-week.ts'
import type { Municipio, Municipios } from '../../../brasil/municipios.ts'
import { type Filter, type FilterTest, valuesOf } from '../../../filter.ts'
import { classesNamed } from '../enumeracoes.ts'

/** Part of the cases that the counters can be asked for; `null`: no limit. */
export interface Scope {
  tipos: string[] | null
  /** Places of residence, none inside another. */
  lugares: ScopePlace[] | null
  /** The final classifications; `''` for cases without one. */
  classes: string[] | null
  period: Period
  /** First and last day of whole weeks of onset; cases in no week are in none of them. */
  sintomas: Period
}

/** A municipality, or with `codigo` null a whole state, cases of an unknown municipality included. */
export interface ScopePlace {
  uf: string
  codigo: number | null
}

/** Whole states and municipalities of a list of places. */
export function codesOf(lugares: readonly ScopePlace[]): { ufs: string[]; codigos: number[] } {
  return {
    ufs: lugares.filter(({ codigo }) => codigo === null).map(({ uf }) => uf),
    codigos: lugares.flatMap(({ codigo }) => codigo ?? []),
  }
}

/** Days, of notification unless said otherwise, both included; `null`: open end. */
export interface Period {
  from: string | null
  to: string | null
}

/** Everything there is. */
export const ANY_TIME: Period = { from: null, to: null }

export const isLimited = ({ from, to }: Period) => from !== null || to !== null

const UNLIMITED: Scope = {
  tipos: null,
  lugares: null,
  classes: null,
  period: ANY_TIME,
  sintomas: ANY_TIME,
}

/** Scope of a filter; null where the counters cannot answer it (`or`, `ne`, other fields). */
export function scopeOf(filter: Filter, municipios: Municipios): Scope | null {
  const tests = testsOf(filter)
  if (tests === null) return null
  let scope = UNLIMITED
  for (const test of tests) {
    const one = ofTest(test, municipios)
    if (one === null) return null
    scope = intersection(scope, { ...UNLIMITED, ...one })
  }
  return scope
}

/** Tests of a conjunction; null for any other filter. */
function testsOf(filter: Filter): FilterTest[] | null {
  if (filter.kind === 'test') return [filter]
  if (filter.kind === 'search') return null
  if (filter.kind === 'or' && filter.of.length !== 1) return null
  const parts = filter.of.map(testsOf)
  return parts.some((part) => part === null) ? null : (parts.flat() as FilterTest[])
}

export function municipiosOf(test: FilterTest, municipios: Municipios): Municipio[] {
  return valuesOf(test).flatMap((value) => {
    const text = String(value).trim()
    return test.op === 'like' ? municipios.containing(text) : municipiosCalled(text, municipios)
  })
}

/** By code, with or without the check digit, or by name; a name that several states have means all of them. */
function municipiosCalled(text: string, municipios: Municipios): Municipio[] {
  if (!/^\d{6,7}$/.test(text)) return municipios.named(text)
  const municipio = municipios.byCodigo(Number(text))
  return municipio === null ? [] : [municipio]
}

/** Municipalities of health regions, given by their codes. */
export function municipiosOfRegioes(test: FilterTest, municipios: Municipios): Municipio[] {
  return [...new Set(valuesOf(test).map(Number))].flatMap(municipios.ofRegiao)
}

/** Tests by a place that does not exist; a part of a name (`like`) may match none. */
export function unknownPlacesOf(filter: Filter, municipios: Municipios): FilterTest[] {
  if (filter.kind === 'search') return []
  if (filter.kind !== 'test') return filter.of.flatMap((part) => unknownPlacesOf(part, municipios))
  const found = (value: string | number | boolean) => {
    if (filter.field === 'regiao_saude')
      return municipiosOfRegioes({ ...filter, op: 'eq', value }, municipios)
    return municipiosCalled(String(value).trim(), municipios)
  }
  const isByPlace = filter.field === 'regiao_saude' || (filter.field === 'municipio' && filter.op !== 'like')
  return isByPlace && valuesOf(filter).some((value) => found(value).length === 0) ? [filter] : []
}

/** Name under which a territory stands in a filter: states by their letters, municipalities by their codes. Not for clients. */
export const TERRITORIO = 'territorio'
/** The same for the place of notification, which no counter knows. */
export const TERRITORIO_NOTIFICACAO = 'territorio_notificacao'

/** States and municipalities of a test by territory. */
export function partsOfTerritorio(test: FilterTest): { ufs: string[]; codigos: number[] } {
  const values = valuesOf(test)
  return {
    ufs: values.filter((value) => typeof value === 'string'),
    codigos: values.filter((value) => typeof value === 'number'),
  }
}

function lugaresOf(test: FilterTest, municipios: Municipios): ScopePlace[] {
  const { ufs, codigos } = partsOfTerritorio(test)
  const ofMunicipio = (codigo: number) => ({ uf: municipios.byCodigo(codigo)?.uf ?? '', codigo })
  return [...ufs.map((uf) => ({ uf, codigo: null })), ...codigos.map(ofMunicipio)]
}

function ofTest(test: FilterTest, municipios: Municipios): Partial<Scope> | null {
  const [first = ''] = valuesOf(test).map(String)
  switch (test.field) {
    case 'data_inicio':
    case 'data_notificacao_inicio':
      return { period: { from: first, to: null } }
    case 'data_fim':
    case 'data_notificacao_fim':
      return { period: { from: null, to: first } }
    case 'data_notificacao':
      return periodOf(test.op, { inicio: first, fim: first })
    case 'semana_epidemiologica':
      return ofSemana(test.op, first)
    case 'semana_epidemiologica_sintomas': {
      const sintomas = sintomasOf(test)
      return sintomas === null ? { tipos: [] } : { sintomas }
    }
  }
  if (test.op === 'ne' || (test.op === 'like' && test.field !== 'municipio')) return null
  const values = valuesOf(test).map(String)
  switch (test.field) {
    case 'tipo_agravo':
    case 'agravo_codigo':
      return { tipos: values }
    case 'estado':
      return { lugares: distinct(values.map((uf) => ({ uf, codigo: null }))) }
    case 'municipio':
      return { lugares: distinct(municipiosOf(test, municipios)) }
    case 'regiao_saude':
      return { lugares: distinct(municipiosOfRegioes(test, municipios)) }
    case TERRITORIO:
      return { lugares: lugaresOf(test, municipios) }
    case 'classificacao':
      return { classes: values.flatMap(classesNamed) }
    case 'classificacao_final':
      return { classes: values }
    default:
      return null
  }
}

function ofSemana(op: FilterTest['op'], codigo: string): Partial<Scope> | null {
  const semana = semanaByCodigo(codigo)
  if (semana !== null) return periodOf(op, semana)
  const first = firstDayOf(codigo)
  // A week 53 that its year does not have holds no case, but compares with other weeks.
  if (op === 'eq') return { tipos: [] }
  return op === 'gte' || op === 'lt' ? periodOf(op, { inicio: first, fim: first }) : null
}

/** Days of a test by weeks of onset (`eq`, `gte`, `lte`); null for a week that its year does not have. */
export function sintomasOf(test: FilterTest): Period | null {
  const codigo = String(test.value)
  const semana = semanaByCodigo(codigo)
  const from = test.op === 'lte' ? null : firstDayOf(codigo)
  const to = test.op === 'gte' ? null : (semana?.fim ?? addDays(firstDayOf(codigo), -1))
  return test.op === 'eq' && semana === null ? null : { from, to }
}

/** Null also where the day before or after is outside of the calendar. */
function periodOf(
  op: FilterTest['op'],
  { inicio, fim }: { inicio: string; fim: string },
): Partial<Scope> | null {
  switch (op) {
    case 'eq':
      return { period: { from: inicio, to: fim } }
    case 'gte':
      return { period: { from: inicio, to: null } }
    case 'lte':
      return { period: { from: null, to: fim } }
    case 'gt':
      return fim === LAST_DATE ? null : { period: { from: addDays(fim, 1), to: null } }
    case 'lt':
      return inicio === FIRST_DATE ? null : { period: { from: null, to: addDays(inicio, -1) } }
    default:
      return null
  }
}

function intersection(a: Scope, b: Scope): Scope {
  return {
    tipos: both(a.tipos, b.tipos),
    lugares: inBoth(a.lugares, b.lugares),
    classes: both(a.classes, b.classes),
    period: during(a.period, b.period),
    sintomas: during(a.sintomas, b.sintomas),
  }
}

/** Days of both periods. */
export function during(a: Period, b: Period): Period {
  return {
    from: [a.from, b.from].filter((day) => day !== null).reduce(later, null),
    to: [a.to, b.to].filter((day) => day !== null).reduce(earlier, null),
  }
}

/** Longest time from onset to notification; a longer one is a birth date or a slip, and the case is in no week of onset. */
const PLAUSIBLE_DAYS = 365
const LAST_ONSET = addDays(LAST_DATE, -PLAUSIBLE_DAYS)

/** Days on which cases with a plausible onset in a period were notified. */
export function notifiedOf({ from, to }: Period): Period {
  return { from, to: to === null || to > LAST_ONSET ? null : addDays(to, PLAUSIBLE_DAYS) }
}

function both<T>(a: T[] | null, b: T[] | null): T[] | null {
  if (a === null || b === null) return a ?? b
  return a.filter((one) => b.includes(one))
}

const isSame = (a: ScopePlace, b: ScopePlace) => a.uf === b.uf && a.codigo === b.codigo

function distinct(lugares: ScopePlace[]): ScopePlace[] {
  const byKey = new Map(lugares.map(({ uf, codigo }) => [`${uf}${codigo}`, { uf, codigo }]))
  return [...byKey.values()]
}

/** The smaller of two places where one contains the other. */
function inBoth(a: ScopePlace[] | null, b: ScopePlace[] | null): ScopePlace[] | null {
  if (a === null || b === null) return a ?? b
  const contains = (outer: ScopePlace, inner: ScopePlace) =>
    isSame(outer, inner) || (outer.codigo === null && outer.uf === inner.uf)
  const isInside = (inner: ScopePlace, lugares: ScopePlace[]) =>
    lugares.some((outer) => contains(outer, inner))
  return distinct([...a.filter((one) => isInside(one, b)), ...b.filter((one) => isInside(one, a))])
}

const later = (a: string | null, b: string): string => (a === null || b > a ? b : a)
const earlier = (a: string | null, b: string): string => (a === null || b < a ? b : a)

/** Period cut into whole months and the days before and after them. */
export interface Coverage {
  months: Period | null
  days: Period[]
}

export function coverageOf(period: Period): Coverage {
  const { from, to } = period
  const first = from === null || from.endsWith('-01') ? from : firstOfNextMonth(from)
  const last = to === null || isLastOfMonth(to) ? to : lastOfPreviousMonth(to)
  const isEmpty = first !== null && last !== null && first > last
  // The neighbours of the first and the last month are outside of the calendar.
  if (isEmpty || isOutside(first) || isOutside(last)) return { months: null, days: [period] }
  const days: Period[] = []
  if (first !== null && first !== from) days.push({ from, to: addDays(first, -1) })
  if (last !== null && last !== to) days.push({ from: addDays(last, 1), to })
  return { months: { from: first, to: last }, days }
}

/** Coverage with the days of its months that are not in the period. */
export interface NearestCoverage extends Coverage {
  surplus: Period[]
}

/** A month of which more than half is in the period is covered as a whole: the days to take off are fewer than those to add. */
export function nearestCoverageOf(period: Period): NearestCoverage {
  const { from, to } = period
  const exact = { ...coverageOf(period), surplus: [] }
  if (from !== null && to !== null && from > to) return exact
  const monthIfMostly = (day: string | null) => {
    if (day === null) return null
    const month = monthOf(day)
    const asked = { from: later(from, month.from), to: earlier(to, month.to) }
    return 2 * lengthOf(asked) > lengthOf(month) ? month : null
  }
  const wide = { from: monthIfMostly(from)?.from ?? from, to: monthIfMostly(to)?.to ?? to }
  const coverage = coverageOf(wide)
  if (coverage.months === null) return exact
  const surplus: Period[] = []
  if (from !== null && wide.from !== from) surplus.push({ from: wide.from, to: addDays(from, -1) })
  if (to !== null && wide.to !== to) surplus.push({ from: addDays(to, 1), to: wide.to })
  return { ...coverage, surplus }
}

const lengthOf = ({ from, to }: { from: string; to: string }) => daysBetween(from, to) + 1

/** True for the first day of a block that is a whole month. */
export function isInMonths(day: string, { months }: Coverage): boolean {
  if (months === null) return false
  return (months.from === null || day >= months.from) && (months.to === null || day <= months.to)
}

const isOutside = (date: string | null) => date !== null && (date.length > 10 || date < FIRST_DATE)

function firstOfNextMonth(date: string): string {
  const [year, month] = date.split('-').map(Number) as [number, number]
  const next = month === 12 ? [year + 1, 1] : [year, month + 1]
  return `${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}-01`
}

const isLastOfMonth = (date: string) => date === LAST_DATE || addDays(date, 1).endsWith('-01')

function lastOfPreviousMonth(date: string): string {
  return date.startsWith(FIRST_DATE.slice(0, 7)) ? '0000-12-31' : addDays(`${date.slice(0, 8)}01`, -1)
}

/** First and last day of the month of a date. */
export function monthOf(date: string): { from: string; to: string } {
  const from = `${date.slice(0, 8)}01`
  return { from, to: date.startsWith('9999-12') ? LAST_DATE : addDays(firstOfNextMonth(from), -1) }
}
