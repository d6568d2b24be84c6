import { mean, standardDeviation } from './summary.ts'

/** EARS: alarms from a short baseline, for series without years of history. */

export interface Ears {
  c1: { limite: number; alarme: boolean } | null
  c2: { limite: number; alarme: boolean } | null
  c3: { valor: number; alarme: boolean } | null
}

const DEVIATIONS = 3.090232
const LEAST_DEVIATION = 0.5
const BASELINE = 7
const GAP = 2

export function ears(series: readonly number[], t: number): Ears {
  const at = (week: number) => series[week] ?? 0
  const baseline = (end: number) => {
    const values = Array.from({ length: BASELINE }, (_, i) => at(end - i))
    return {
      average: mean(values) ?? 0,
      deviation: Math.max(standardDeviation(values) ?? 0, LEAST_DEVIATION),
    }
  }
  const alarmOf = (end: number) => {
    const { average, deviation } = baseline(end)
    const limite = average + DEVIATIONS * deviation
    return { limite, alarme: at(t) > limite }
  }
  const excess = (week: number) => {
    const { average, deviation } = baseline(week - GAP - 1)
    return Math.max(0, (at(week) - average) / deviation - 1)
  }
  const valor = excess(t) + excess(t - 1) + excess(t - 2)
  return { c1: alarmOf(t - 1), c2: alarmOf(t - GAP - 1), c3: { valor, alarme: valor > 2 } }
}
