import type { Gamma } from './gamma.ts'
import { sum } from './summary.ts'

/**
 * Effective reproduction number by Cori's method: new cases of a window are Poisson around R times the infectiousness of those
 * before, and R has a gamma prior, so its posterior is a gamma distribution.
 */

/** Prior of R with mean 5 and standard deviation 5, as EpiEstim has it. */
const PRIOR: Gamma = { shape: 1, scale: 5 }

export interface Posterior extends Gamma {
  /** New cases of the window. */
  cases: number
  /** Sum of the expected numbers at R = 1; 0: nothing went before, and the posterior is the prior plus its cases. */
  infectiousness: number
}

/** Weights of the lags 1 to `lags`, the density of a normal distribution divided by its sum. There is no lag 0. */
export function generationWeights(average: number, deviation: number, lags: number): number[] {
  const densities = Array.from({ length: lags }, (_, i) =>
    Math.exp(-((i + 1 - average) ** 2) / (2 * deviation ** 2)),
  )
  const total = sum(densities)
  return densities.map((density) => density / total)
}

/** Posterior of R for the window that ends at each point of the series; there was nothing before the first. */
export function posteriorsOf(
  incidence: readonly number[],
  weights: readonly number[],
  window: number,
): Posterior[] {
  const infectiousness = incidence.map((_, t) =>
    weights.reduce((total, weight, i) => total + weight * (incidence[t - 1 - i] ?? 0), 0),
  )
  const inWindow = (values: readonly number[], end: number) =>
    sum(values.slice(Math.max(0, end - window + 1), end + 1))
  return incidence.map((_, t) => {
    const [cases, expected] = [inWindow(incidence, t), inWindow(infectiousness, t)]
    return {
      cases,
      infectiousness: expected,
      shape: PRIOR.shape + cases,
      scale: 1 / (1 / PRIOR.scale + expected),
    }
  })
}
