/** Two-sided 95 % quantile of the normal distribution, as the interface states it. */
const Z = 1.959964

export interface Interval {
  lower: number
  upper: number
}

/** Wilson's score interval of a proportion, 95 %; stays inside of 0 and 1 also with few events. Null over nothing. */
export function wilsonInterval(events: number, of: number): Interval | null {
  if (of <= 0) return null
  const share = events / of
  const scale = 1 + Z ** 2 / of
  const centre = (share + Z ** 2 / (2 * of)) / scale
  const half = (Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))) / scale
  // Exact at the ends, where the difference would leave a last bit.
  return {
    lower: events === 0 ? 0 : Math.max(0, centre - half),
    upper: events === of ? 1 : Math.min(1, centre + half),
  }
}
