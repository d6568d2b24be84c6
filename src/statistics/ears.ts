import { mean, standardDeviation } from './summary.ts'

/**
 * EARS: a week is compared with seven weeks shortly before it, so that weeks suffice where there are no years. C1 takes those
 * right before, C2 leaves a gap of two weeks that a beginning outbreak must not fill, C3 adds up what three weeks exceed.
 */
export interface Ears {
  c1: { limite: number; alarme: boolean }
  c2: { limite: number; alarme: boolean }
  c3: { valor: number; alarme: boolean }
}

const BASELINE = 7
const GAP_OF_C1 = 0
const GAP_OF_C2 = 2
/** Quantile of the normal distribution that one week in a thousand exceeds. */
const DEVIATIONS = 3.090232
/** After silence a deviation of 0 would make an alarm of every second case. */
const LEAST_DEVIATION = 0.5
const WEEKS_OF_C3 = 3
const LIMIT_OF_C3 = 2

/** The week at index `t` of a weekly series; weeks before its first entry are 0. */
export function ears(series: readonly number[], t: number): Ears {
  const cases = casesAt(series, t)
  const limitAfter = (gap: number) => {
    const { centre, deviation } = baselineOf(series, t, gap)
    const limite = centre + DEVIATIONS * deviation
    return { limite, alarme: cases > limite }
  }
  const valor = excessOf(series, t)
  return {
    c1: limitAfter(GAP_OF_C1),
    c2: limitAfter(GAP_OF_C2),
    c3: { valor, alarme: valor > LIMIT_OF_C3 },
  }
}

const casesAt = (series: readonly number[], week: number): number => series[week] ?? 0

/** Mean and standard deviation of the seven weeks that end `gap` weeks before the one before `t`. */
function baselineOf(series: readonly number[], t: number, gap: number) {
  const weeks = Array.from({ length: BASELINE }, (_, i) => casesAt(series, t - gap - 1 - i))
  return {
    centre: mean(weeks) as number,
    deviation: Math.max(standardDeviation(weeks) as number, LEAST_DEVIATION),
  }
}

/** Deviations beyond the first by which C2 is exceeded, of the week and the two before it together. */
function excessOf(series: readonly number[], t: number): number {
  let excess = 0
  for (let week = t; week > t - WEEKS_OF_C3; week--) {
    const { centre, deviation } = baselineOf(series, week, GAP_OF_C2)
    excess += Math.max(0, (casesAt(series, week) - centre) / deviation - 1)
  }
  return excess
}
