import type { Sample } from './soak-load.ts'

/** Interval of a soak: its latencies, with a sample of the process. */
export interface Stretch extends Sample {
  p50: number
  p99: number
  failures: number
}

/** Limits of the last quarter against the second one: the first warms up. */
const GROWTH: [keyof Stretch, factor: number, more: number][] = [
  ['rssMb', 1.15, 20],
  ['heapMb', 1.25, 20],
  ['handles', 1.1, 10],
  ['connections', 1.1, 3],
  ['p50', 1.5, 10],
  ['p99', 2, 50],
]

export const mean = (values: number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)

/** Describes each figure that grew beyond its limit. */
export function growthIn(stretches: Stretch[]): string[] {
  const count = stretches.length
  const quarter = (from: number) =>
    stretches.slice(Math.floor((from * count) / 4), Math.floor(((from + 1) * count) / 4))
  const of = (name: keyof Stretch, those: Stretch[]) => mean(those.map((one) => one[name]))
  return GROWTH.flatMap(([name, factor, more]) => {
    const [early, late] = [of(name, quarter(1)), of(name, quarter(3))]
    return late > early * factor + more ? [`${name} grew from ${early.toFixed(0)} to ${late.toFixed(0)}`] : []
  })
}
