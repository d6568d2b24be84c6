import { gammaQuantile } from './gamma.ts'
import type { Interval } from './proportion.ts'

/** Group of a population with its cases and the weight that the standard population gives it. */
export interface Stratum {
  cases: number
  population: number
  weight: number
}

export interface StandardisedRate extends Interval {
  rate: number
}

const ALPHA = 0.05

/**
 * Directly standardised rate with the 95 % gamma interval of Fay and Feuer (1997): conservative also where few cases carry
 * large weights. Weights need not add up to 1. Groups without population are left out; null where none is left.
 */
export function standardisedRate(strata: readonly Stratum[]): StandardisedRate | null {
  const known = strata.filter(({ population }) => population > 0)
  const total = known.reduce((all, { weight }) => all + weight, 0)
  if (total <= 0) return null
  let [rate, variance, largest] = [0, 0, 0]
  for (const { cases, population, weight } of known) {
    const factor = weight / total / population
    rate += factor * cases
    variance += factor ** 2 * cases
    largest = Math.max(largest, factor)
  }
  const limit = (y: number, v: number, p: number) => gammaQuantile({ shape: y ** 2 / v, scale: v / y }, p)
  return {
    rate,
    lower: rate === 0 ? 0 : limit(rate, variance, ALPHA / 2),
    upper: limit(rate + largest, variance + largest ** 2, 1 - ALPHA / 2),
  }
}
