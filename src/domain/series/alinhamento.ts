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

/** Values of consecutive weeks, made of days already. */
export interface FaixaDeSemanas {
  first: number
  valores: Float64Array
  /** Days of each that have a value. */
  dias: Uint8Array
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
  /** Share of the place that has a value, by residents or by parts; null where the value is the place's own. */
  cobertura_lugar: number | null
}

export const NO_VALUE: Ponto = { valor: null, cobertura: 0, repetido: false, de: null, cobertura_lugar: null }

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

/** Aligned periods in columns: a place of many parts has hundreds of thousands, of which none needs to be an object. */
export interface Alinhados {
  /** NaN: no value. */
  valores: Float64Array
  coberturas: Float64Array
  /** 1 where the value was given for a longer time, or for an earlier one. */
  repetidos: Uint8Array
  /** Period that a carried value comes from, else NaN. */
  de: Float64Array
}

export const alinhadosOf = (length: number): Alinhados => ({
  valores: new Float64Array(length),
  coberturas: new Float64Array(length),
  repetidos: new Uint8Array(length),
  de: new Float64Array(length),
})

/** The asked periods from `first` to `last`, each with what the series says of it. */
export function align(
  serie: Regra,
  faixa: FaixaDePeriodos | FaixaDeSemanas,
  to: Periodo,
  first: number,
  last: number,
): Ponto[] {
  const length = Math.max(0, last - first + 1)
  const alinhados = alinhadosOf(length)
  alignInto(alinhados, serie, faixa, to, first, last)
  return Array.from({ length }, (_, i) => pontoAt(alinhados, i))
}

export function pontoAt({ valores, coberturas, repetidos, de }: Alinhados, at: number): Ponto {
  const valor = valores[at] as number
  const from = de[at] as number
  return {
    valor: Number.isNaN(valor) ? null : valor,
    cobertura: coberturas[at] as number,
    repetido: repetidos[at] === 1,
    de: Number.isNaN(from) ? null : from,
    cobertura_lugar: null,
  }
}

/** The same into columns that the next place may use again. */
export function alignInto(
  { valores, coberturas, repetidos, de }: Alinhados,
  serie: Regra,
  faixa: FaixaDePeriodos | FaixaDeSemanas,
  to: Periodo,
  first: number,
  last: number,
): void {
  const read = readerOf(serie, faixa, to)
  const validade = to === serie.periodo || to === 'semana' ? serie.validade : 0
  const lido: PeriodoLido = { valor: Number.NaN, cobertura: 0, contagem: 0, repetido: false }
  let [carried, from] = [Number.NaN, Number.NEGATIVE_INFINITY]
  for (let index = first - validade; index <= last; index++) {
    read(index, lido)
    const hasValue = !Number.isNaN(lido.valor)
    if (hasValue) [carried, from] = [lido.valor, index]
    if (index < first) continue
    const at = index - first
    const isCarried = !hasValue && index - from <= validade
    valores[at] = isCarried ? carried : lido.valor
    coberturas[at] = lido.cobertura
    repetidos[at] = isCarried || lido.repetido ? 1 : 0
    de[at] = isCarried ? from : Number.NaN
  }
}

/** One period as it was read, written over by the next one. */
export interface PeriodoLido {
  valor: number
  cobertura: number
  /** Parts that have a value. */
  contagem: number
  repetido: boolean
}

function readerOf(
  { periodo, agrega_tempo }: Regra,
  faixa: FaixaDePeriodos | FaixaDeSemanas,
  to: Periodo,
): (index: number, lido: PeriodoLido) => void {
  if ('dias' in faixa) return (week, lido) => ofWeek(lido, faixa, week)
  if (periodo === to) return (index, lido) => own(lido, valueAt(faixa, index), false)
  if (to === 'semana' && periodo !== 'dia')
    return (week, lido) => own(lido, valueAt(faixa, periodOf(periodo, wednesdayOf(week))), true)
  if (periodo === 'dia') return (index, lido) => ofDays(lido, agrega_tempo, faixa, to, index)
  if (periodo === 'semana')
    return (index, lido) => ofWeeks(lido, agrega_tempo, faixa, weeksWithin(to as 'mes' | 'ano', index), to)
  return (ano, lido) => aggregate(lido, agrega_tempo, faixa, ano * 12, 12, FEWEST_MONTHS)
}

function own(lido: PeriodoLido, value: number, isRepeated: boolean): void {
  const hasValue = !Number.isNaN(value)
  lido.valor = value
  lido.contagem = hasValue ? 1 : 0
  lido.cobertura = lido.contagem
  lido.repetido = hasValue && isRepeated
}

function ofWeek(lido: PeriodoLido, { first, valores, dias }: FaixaDeSemanas, week: number): void {
  const at = week - first
  lido.valor = valores[at] ?? Number.NaN
  lido.contagem = dias[at] ?? 0
  lido.cobertura = shareOf(lido.contagem, WEEK)
  lido.repetido = false
}

export function ofDays(
  lido: PeriodoLido,
  agrega: AgregaTempo,
  faixa: FaixaDePeriodos,
  to: Periodo,
  index: number,
): void {
  const first = to === 'semana' ? sundayAt(index) : dayOf(firstDayOfPeriod(to, index))
  const days = to === 'semana' ? WEEK : dayOf(lastDayOfPeriod(to, index)) - first + 1
  const perWeek = agrega === 'soma' ? FEWEST_DAYS_OF_SUM : FEWEST_DAYS
  aggregate(lido, agrega, faixa, first, days, Math.ceil((days * perWeek) / WEEK))
}

function ofWeeks(
  lido: PeriodoLido,
  agrega: AgregaTempo,
  faixa: FaixaDePeriodos,
  weeks: readonly number[],
  to: Periodo,
): void {
  const fewest = to === 'mes' ? FEWEST_WEEKS_OF_MONTH : FEWEST_WEEKS_OF_YEAR
  aggregate(lido, agrega, faixa, weeks[0] as number, weeks.length, fewest)
}

/** Of `length` consecutive values; the last one needs no others beside it. */
function aggregate(
  lido: PeriodoLido,
  agrega: AgregaTempo,
  faixa: FaixaDePeriodos,
  first: number,
  length: number,
  fewest: number,
): void {
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
  const enough = agrega === 'ultimo' ? count > 0 : count >= fewest
  lido.valor = Number.NaN
  lido.contagem = count
  lido.cobertura = shareOf(count, length)
  lido.repetido = false
  if (!enough) return
  if (agrega === 'media') lido.valor = sum / count
  else if (agrega === 'soma') lido.valor = sum
  else if (agrega === 'minimo') lido.valor = minimo
  else if (agrega === 'maximo') lido.valor = maximo
  else if (agrega === 'ultimo') lido.valor = ultimo
}

const shareOf = (count: number, length: number): number => Math.round((100 * count) / length) / 100

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
