import { mean, quantile, standardDeviation } from './summary.ts'

/** Limits of a control diagram from the values of earlier years. */

/** Values around a point of a series, as many on either side; points without a value are left out. */
export function windowAround(
  valueAt: (point: number) => number | null,
  centre: number,
  width: number,
): number[] {
  const side = (width - 1) / 2
  return Array.from({ length: width }, (_, i) => valueAt(centre - side + i)).filter((value) => value !== null)
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
  const deviation = standardDeviation(values)
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
