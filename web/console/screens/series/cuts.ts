import { quantile } from '../../../../src/statistics/summary.ts'
import { CLASSES } from '../../map/classes.ts'

const rounded = (value: number, casas: number) => Number(value.toFixed(casas))

/** Lower limits of the classes above the first: of few different values each is a class, of many about equally full ones. */
export function cutsOfValues(values: readonly number[], casas: number): { least: number; cuts: number[] } {
  const sorted = values.toSorted((one, other) => one - other)
  const distinct = [...new Set(sorted)]
  const [least = 0] = distinct
  if (distinct.length <= CLASSES) return { least, cuts: distinct.slice(1) }
  const cuts = Array.from({ length: CLASSES - 1 }, (_, i) =>
    rounded(quantile(sorted, (i + 1) / CLASSES) as number, Math.min(casas, 2)),
  )
  return { least: rounded(least, Math.min(casas, 2)), cuts: [...new Set(cuts)].filter((cut) => cut > least) }
}
