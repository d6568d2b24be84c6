import { mean, quantile, standardDeviation } from './summary.ts'

/** Limits of a control diagram from the values of earlier years. */

/** Values around some points of a series together, as many on either side of each; points without a value (NaN) are left out. */
export function pooledAround(series: Float64Array, centres: readonly number[], width: number): number[] {
  const side = (width - 1) / 2
  const values: number[] = []
  for (const centre of centres) {
    const last = Math.min(centre + side, series.length - 1)
    for (let point = Math.max(centre - side, 0); point <= last; point++) {
      const value = series[point] as number
      if (!Number.isNaN(value)) values.push(value)
    }
  }
  return values
}

export interface ControlLimits {
  mean: number
  deviation: number
  lower: number
  upper: number
}

/** Mean and `deviations` standard deviations on either side, the lower limit not below 0; null with fewer than two values. */
export function controlLimits(values: readonly number[], deviations: number): ControlLimits | null {
  const average = mean(values)
  const deviation = standardDeviation(values, average)
  if (average === null || deviation === null) return null
  return {
    mean: average,
    deviation,
    lower: Math.max(0, average - deviations * deviation),
    upper: average + deviations * deviation,
  }
}

export interface Quartiles {
  first: number
  median: number
  third: number
}

export function quartiles(values: readonly number[]): Quartiles | null {
  const [first, median, third] = [0.25, 0.5, 0.75].map((p) => quantile(values, p))
  return typeof first === 'number' && typeof median === 'number' && typeof third === 'number'
    ? { first, median, third }
    : null
}
