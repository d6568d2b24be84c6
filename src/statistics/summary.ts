/** Summaries of a sample. Nothing is ever NaN: without values there is no summary, and the answer is null. */

export function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length

/** Sample standard deviation, divided by n − 1; two passes, so that large means cost no digits. */
export function standardDeviation(values: readonly number[], average = mean(values)): number | null {
  if (average === null || values.length < 2) return null
  let squares = 0
  for (const value of values) squares += (value - average) ** 2
  return Math.sqrt(squares / (values.length - 1))
}

/** Linear interpolation between order statistics at position (n − 1)p: type 7 of Hyndman and Fan, the default of R. */
export function quantile(values: readonly number[], p: number): number | null {
  if (values.length === 0) return null
  return quantileOfSorted(
    values.toSorted((a, b) => a - b),
    p,
  )
}

export const median = (values: readonly number[]): number | null => quantile(values, 0.5)

function quantileOfSorted(sorted: readonly number[], p: number): number {
  const position = (sorted.length - 1) * p
  const below = Math.floor(position)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (position - below) * (high - low)
}
