import { weekOf } from '../../brasil/epi-week.ts'
import { type NegativeBinomial, negativeBinomialQuantile } from '../../statistics/negative-binomial.ts'
import { estimateHyperparameters, fit, type Hyperparameters, missingOf } from '../../statistics/nowcast.ts'
import type { DelayedCases } from '../casos/counters/semanas.ts'

/**
 * Nowcast of the last weeks of onset: cases known so far and those still to come, by their delays (`statistics/nowcast.ts`), or
 * for places with few cases by the completeness of their state.
 */

/** Longest delay of the model, weeks; older weeks count as complete. */
export const NOWCAST_DELAYS = 12
/** Weeks of onset that the model is fitted to. */
export const NOWCAST_ROWS = 60
/** Quantiles of every estimate, and their position by the interval they bound. */
export const QUANTIS = [0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975] as const
export const INTERVALOS = { 50: [2, 4], 80: [1, 5], 95: [0, 6] } as const
export type Intervalo = keyof typeof INTERVALOS
const MEDIAN = 3

const FEWEST_CASES = 50
/** Cases of the last weeks at or below which the model has nothing to go by. */
const FEW_RECENT = 5
const RECENT_WEEKS = 5
/** Share of cases without entry date above which delays say nothing, in the weeks it is looked for. */
const MOST_UNDATED = 0.2
const DATED_WEEKS = 26
/** An estimate of so many times the recent cases is doubtful. */
const DOUBTFUL = 5

/** Cases of a place by week of onset and delay, as known at the end of the week `last`. */
export interface Triangulo {
  last: number
  /** Oldest week first. */
  rows: number[][]
  /** Cases in it. */
  total: number
  /** Known at the end of `last`, by week. */
  known: ReadonlyMap<number, number>
  /** Known now, those without an entry date included; the same as `known` where it is looked at from that time. */
  knownNow: ReadonlyMap<number, number>
  undated: ReadonlyMap<number, number>
}

/** `first` is the week of the first case of the place ever. */
export function trianguloOf(
  delays: readonly DelayedCases[],
  { last, first, isReconstructed }: { last: number; first: number; isReconstructed: boolean },
): Triangulo {
  const begin = Math.min(last, Math.max(first, last - NOWCAST_ROWS + 1))
  const rows = Array.from({ length: last - begin + 1 }, () => new Array<number>(NOWCAST_DELAYS + 1).fill(0))
  const [known, knownNow, undated] = [new Map(), new Map(), new Map<number, number>()]
  const add = (counts: Map<number, number>, week: number, cases: number) =>
    counts.set(week, (counts.get(week) ?? 0) + cases)
  let total = 0
  // Weeks come in order, each with several delays.
  let [sunday, week] = ['', 0]
  for (const { inicio, atraso, total: cases } of delays) {
    if (inicio !== sunday) [sunday, week] = [inicio, weekOf(inicio)]
    if (atraso < 0) add(undated, week, cases)
    if (!isReconstructed) add(knownNow, week, cases)
    if (atraso < 0 || week + atraso > last) continue
    add(known, week, cases)
    const row = rows[week - begin]
    if (row === undefined || atraso > NOWCAST_DELAYS) continue
    row[atraso] = (row[atraso] as number) + cases
    total += cases
  }
  return { last, rows, total, known, knownNow: isReconstructed ? known : knownNow, undated }
}

const between = (counts: ReadonlyMap<number, number>, first: number, last: number): number => {
  let total = 0
  for (let week = first; week <= last; week++) total += counts.get(week) ?? 0
  return total
}

/** True where too many of the recent cases have no entry date. */
export function lacksDates({ last, known, undated }: Triangulo): boolean {
  const first = last - DATED_WEEKS + 1
  const without = between(undated, first, last)
  return without > MOST_UNDATED * (between(known, first, last) + without)
}

/** True where the model has too little to go by. */
export const hasFewCases = ({ last, total, known }: Triangulo): boolean =>
  total < FEWEST_CASES || between(known, last - RECENT_WEEKS + 1, last) <= FEW_RECENT

/** Cases to come of the week of each age, 0 the last. */
export type Missing = (age: number) => NegativeBinomial | null

export function ofModel({ rows }: Triangulo, hyperparameters: Hyperparameters): Missing {
  const fitted = fit(rows, hyperparameters)
  return (age) => (age < Math.min(NOWCAST_DELAYS, rows.length) ? missingOf(fitted, age) : null)
}

export const hyperparametersOf = ({ rows }: Triangulo): Hyperparameters => estimateHyperparameters(rows)

/** By the expected completeness of a larger place. */
export function ofCompleteness({ last, known }: Triangulo, shares: readonly number[]): Missing {
  return (age) => {
    const probability = shares[age] ?? 1
    if (age >= NOWCAST_DELAYS || probability >= 1) return null
    return { size: (known.get(last - age) ?? 0) + 0.5, probability }
  }
}

export interface SemanaEstimada {
  week: number
  conhecidos: number
  /** Null where no estimate can be made. */
  quantis: readonly number[] | null
}

/** Weeks from the last one back; estimates are never below what is known now. */
export function weeksOfNowcast(
  triangulo: Triangulo,
  missing: Missing | null,
  semanas: number,
): SemanaEstimada[] {
  const { last, knownNow } = triangulo
  const quantileAt = missing && quantilesOf(triangulo, missing)
  return Array.from({ length: semanas }, (_, age) => ({
    week: last - age,
    conhecidos: knownNow.get(last - age) ?? 0,
    quantis: quantileAt && QUANTIS.map((p) => quantileAt(age, p)),
  }))
}

/** Quantile of the cases of the week of an age. */
function quantilesOf({ last, known, knownNow, undated }: Triangulo, missing: Missing) {
  const withUndated = knownNow !== known
  return (age: number, p: number): number => {
    const week = last - age
    const before = (known.get(week) ?? 0) + (withUndated ? (undated.get(week) ?? 0) : 0)
    const distribution = missing(age)
    const toCome = distribution === null ? 0 : negativeBinomialQuantile(distribution, p)
    return Math.max(before + toCome, knownNow.get(week) ?? 0)
  }
}

/** Medians alone, by week; null where the estimate is doubtful. */
export function mediansOfNowcast(
  triangulo: Triangulo,
  missing: Missing,
  semanas: number,
): Map<number, number> | null {
  const quantileAt = quantilesOf(triangulo, missing)
  const current = quantileAt(0, QUANTIS[MEDIAN])
  if (isOutOfProportion(triangulo, current)) return null
  const { last } = triangulo
  return new Map(
    Array.from({ length: semanas }, (_, age) => [
      last - age,
      age === 0 ? current : quantileAt(age, QUANTIS[MEDIAN]),
    ]),
  )
}

export const medianOf = (quantis: readonly number[]): number => quantis[MEDIAN] as number

/** True where the estimate of the last week is out of proportion to what is known. */
export const isDoubtful = (triangulo: Triangulo, [current]: readonly SemanaEstimada[]): boolean =>
  current?.quantis ? isOutOfProportion(triangulo, medianOf(current.quantis)) : false

const isOutOfProportion = ({ last, known }: Triangulo, median: number): boolean =>
  median > DOUBTFUL * between(known, last - RECENT_WEEKS + 1, last)

/** Mean weighted interval score of an estimate. */
export function intervalScore(quantis: readonly number[], final: number): number {
  const scores = Object.entries(INTERVALOS).map(([percent, [low, high]]) => {
    const alpha = 1 - Number(percent) / 100
    const [lower, upper] = [quantis[low] as number, quantis[high] as number]
    const outside = Math.max(0, lower - final) + Math.max(0, final - upper)
    return (alpha / 2) * (upper - lower + (2 / alpha) * outside)
  })
  const weighted = scores.reduce((sum, score) => sum + score, 0.5 * Math.abs(final - medianOf(quantis)))
  return weighted / (scores.length + 0.5)
}

/** True where the interval holds the value. */
export function covers(quantis: readonly number[], intervalo: Intervalo, final: number): boolean {
  const [low, high] = INTERVALOS[intervalo]
  return (quantis[low] as number) <= final && final <= (quantis[high] as number)
}
