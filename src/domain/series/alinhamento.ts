import { weekOf } from '../../brasil/epi-week.ts'
import {
  dayOf,
  firstDayOfPeriod,
  lastDayOfPeriod,
  type Periodo,
  periodOf,
  sundayAt,
  wednesdayOf,
  weeksWithin,
} from './periodos.ts'
import type { AgregaTempo, Limiar, Serie } from './serie.ts'

/** Alignment in time: values of days, weeks, months or years as values of another period. Pure; NaN stands for no value. */

/** Values of consecutive periods. */
export interface FaixaDePeriodos {
  first: number
  values: Float64Array
}

/** Value of a period after alignment. */
export interface Ponto {
  valor: number | null
  /** Share of its parts that have a value. */
  cobertura: number
  /** True where the value was given for a longer time, or for an earlier one. */
  repetido: boolean
  /** Period that a carried value comes from. */
  de: number | null
}

export const NO_VALUE: Ponto = { valor: null, cobertura: 0, repetido: false, de: null }

export const valueAt = ({ first, values }: FaixaDePeriodos, index: number): number =>
  index >= first && index < first + values.length ? (values[index - first] as number) : Number.NaN

const WEEK = 7
/** Days of a week, months of a year: fewer say nothing. */
const FEWEST_DAYS = 4
const FEWEST_DAYS_OF_SUM = 6
const FEWEST_WEEKS_OF_MONTH = 3
const FEWEST_WEEKS_OF_YEAR = 40
const FEWEST_MONTHS = 9

type Regra = Pick<Serie, 'periodo' | 'agrega_tempo' | 'validade'>

/** False where the values are too coarse for the period, or do not add up in time. */
export function canAlign({ periodo, agrega_tempo }: Regra, to: Periodo): boolean {
  if (periodo === to || (to === 'semana' && (periodo === 'mes' || periodo === 'ano'))) return true
  if (agrega_tempo === 'nenhuma') return false
  return ORDER.indexOf(periodo) < ORDER.indexOf(to)
}

const ORDER: readonly Periodo[] = ['dia', 'semana', 'mes', 'ano']

/** Periods of the series that the asked ones are made of; earlier ones for values that stay valid. */
export function sourceRange(
  { periodo, validade }: Regra,
  to: Periodo,
  first: number,
  last: number,
): { first: number; last: number } {
  const begin = to === periodo ? first - validade : first - (to === 'semana' ? validade : 0)
  const widest = to === 'semana' && periodo !== 'dia' ? wednesdayOf : null
  if (widest !== null && periodo !== 'semana')
    return { first: periodOf(periodo, widest(begin)), last: periodOf(periodo, widest(last)) }
  if (to === periodo) return { first: begin, last }
  if (periodo === 'semana' && to !== 'dia' && to !== 'semana')
    return { first: weekOf(firstDayOfPeriod(to, first)), last: weekOf(lastDayOfPeriod(to, last)) }
  return {
    first: periodOf(periodo, firstDayOfPeriod(to, begin)),
    last: periodOf(periodo, lastDayOfPeriod(to, last)),
  }
}

/** The asked periods from `first` to `last`, each with what the series says of it. */
export function align(
  serie: Regra,
  faixa: FaixaDePeriodos,
  to: Periodo,
  first: number,
  last: number,
): Ponto[] {
  const { periodo, validade } = serie
  const at = pointAt(serie, faixa, to)
  if (validade === 0 || (to !== periodo && to !== 'semana'))
    return Array.from({ length: last - first + 1 }, (_, i) => at(first + i))
  const pontos: Ponto[] = []
  let carried: { valor: number; de: number } | null = null
  for (let index = first - validade; index <= last; index++) {
    const ponto = at(index)
    if (ponto.valor !== null) carried = { valor: ponto.valor, de: index }
    if (index < first) continue
    const isCarried = ponto.valor === null && carried !== null && index - carried.de <= validade
    pontos.push(isCarried && carried ? { ...ponto, ...carried, repetido: true } : ponto)
  }
  return pontos
}

function pointAt(
  { periodo, agrega_tempo }: Regra,
  faixa: FaixaDePeriodos,
  to: Periodo,
): (index: number) => Ponto {
  if (periodo === to) return (index) => own(valueAt(faixa, index), false)
  if (to === 'semana' && periodo !== 'dia')
    return (week) => own(valueAt(faixa, periodOf(periodo, wednesdayOf(week))), true)
  if (periodo === 'dia') return (index) => ofDays(agrega_tempo, faixa, to, index)
  if (periodo === 'semana')
    return (index) => ofWeeks(agrega_tempo, faixa, weeksWithin(to as 'mes' | 'ano', index), to)
  return (ano) => aggregate(agrega_tempo, faixa, ano * 12, 12, FEWEST_MONTHS)
}

function own(value: number, repetido: boolean): Ponto {
  return Number.isNaN(value) ? NO_VALUE : { valor: value, cobertura: 1, repetido, de: null }
}

function ofDays(agrega: AgregaTempo, faixa: FaixaDePeriodos, to: Periodo, index: number): Ponto {
  const first = to === 'semana' ? sundayAt(index) : dayOf(firstDayOfPeriod(to, index))
  const days = to === 'semana' ? WEEK : dayOf(lastDayOfPeriod(to, index)) - first + 1
  const perWeek = agrega === 'soma' ? FEWEST_DAYS_OF_SUM : FEWEST_DAYS
  return aggregate(agrega, faixa, first, days, Math.ceil((days * perWeek) / WEEK))
}

function ofWeeks(agrega: AgregaTempo, faixa: FaixaDePeriodos, weeks: readonly number[], to: Periodo): Ponto {
  const fewest = to === 'mes' ? FEWEST_WEEKS_OF_MONTH : FEWEST_WEEKS_OF_YEAR
  return aggregate(agrega, faixa, weeks[0] as number, weeks.length, fewest)
}

/** Of `length` consecutive values; the last one needs no others beside it. */
function aggregate(
  agrega: AgregaTempo,
  faixa: FaixaDePeriodos,
  first: number,
  length: number,
  fewest: number,
): Ponto {
  const { values } = faixa
  const from = Math.max(0, first - faixa.first)
  const to = Math.min(values.length, first + length - faixa.first)
  let count = 0
  let sum = 0
  let minimo = Number.POSITIVE_INFINITY
  let maximo = Number.NEGATIVE_INFINITY
  let ultimo = Number.NaN
  for (let at = from; at < to; at++) {
    const value = values[at] as number
    if (Number.isNaN(value)) continue
    count += 1
    sum += value
    if (value < minimo) minimo = value
    if (value > maximo) maximo = value
    ultimo = value
  }
  const cobertura = Math.round((100 * count) / length) / 100
  const enough = agrega === 'ultimo' ? count > 0 : count >= fewest
  if (!enough) return { valor: null, cobertura, repetido: false, de: null }
  return {
    valor: result(agrega, { count, sum, minimo, maximo, ultimo }),
    cobertura,
    repetido: false,
    de: null,
  }
}

function result(
  agrega: AgregaTempo,
  found: { count: number; sum: number; minimo: number; maximo: number; ultimo: number },
): number {
  if (agrega === 'media') return found.sum / found.count
  if (agrega === 'soma') return found.sum
  return agrega === 'nenhuma' ? Number.NaN : found[agrega]
}

const COMPARISONS: Record<Limiar['operador'], (value: number, limit: number) => boolean> = {
  gte: (value, limit) => value >= limit,
  gt: (value, limit) => value > limit,
  lte: (value, limit) => value <= limit,
  lt: (value, limit) => value < limit,
}

/**
 * True where the week and those before it meet the threshold, false where one does not, else null for want of a week. `valores`
 * begins `limiar.semanas - 1` weeks before the first week asked for.
 */
export function meets(limiar: Limiar, valores: readonly (number | null)[], at: number): boolean | null {
  const run = valores.slice(at - limiar.semanas + 1, at + 1)
  const met = run.map((valor) => (valor === null ? null : COMPARISONS[limiar.operador](valor, limiar.valor)))
  if (met.includes(false)) return false
  return met.includes(null) || run.length < limiar.semanas ? null : true
}
