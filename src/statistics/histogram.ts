/** Quantiles of values that come as counts, exact without a list of every value. */

/** Sorted by value; counts are positive. */
export type Histogram = readonly (readonly [value: number, count: number])[]

export const sizeOf = (histogram: Histogram): number =>
  histogram.reduce((total, [, count]) => total + count, 0)

/** The same as `quantile` of the values one by one: linear interpolation between order statistics at position (n − 1)p. */
export function quantileOfCounts(histogram: Histogram, p: number): number | null {
  const size = sizeOf(histogram)
  if (size === 0) return null
  const position = (size - 1) * p
  const below = Math.floor(position)
  const low = valueAt(histogram, below)
  const high = valueAt(histogram, Math.min(below + 1, size - 1))
  return low + (position - below) * (high - low)
}

function valueAt(histogram: Histogram, rank: number): number {
  let seen = 0
  for (const [value, count] of histogram) {
    seen += count
    if (rank < seen) return value
  }
  throw new Error(`rank ${rank} of ${seen} values`)
}
