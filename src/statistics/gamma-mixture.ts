import { type Gamma, gammaQuantile, gammaSurvival } from './gamma.ts'

/** Part of a mixture of gamma distributions; the weights add up to 1. */
export interface WeightedGamma extends Gamma {
  weight: number
}

type Mixture = readonly WeightedGamma[]

export const mixtureMean = (mixture: Mixture): number =>
  mixture.reduce((sum, { weight, shape, scale }) => sum + weight * shape * scale, 0)

/** Probability of more than `x`. */
export const mixtureSurvival = (mixture: Mixture, x: number): number =>
  mixture.reduce((sum, part) => sum + part.weight * gammaSurvival(part, x), 0)

const CLOSE = 1e-7

/** By bisection between the quantiles of the parts. */
export function mixtureQuantile(mixture: Mixture, p: number): number {
  const ofParts = mixture.map((part) => gammaQuantile(part, p))
  let [low, high] = [Math.min(...ofParts), Math.max(...ofParts)]
  while (high - low > CLOSE) {
    const middle = (low + high) / 2
    if (mixtureSurvival(mixture, middle) > 1 - p) low = middle
    else high = middle
  }
  return mixture.length === 1 ? low : (low + high) / 2
}
