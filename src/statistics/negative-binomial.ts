import { lgamma } from './gamma.ts'

/** Number of failures before the `size`-th success, each try succeeding with `probability`; `size` need not be whole. */
export interface NegativeBinomial {
  size: number
  probability: number
}

/** By mean and variance, which must exceed the mean. */
export function negativeBinomialOf(average: number, variance: number): NegativeBinomial {
  return { size: average ** 2 / (variance - average), probability: average / variance }
}

/** Probability of at most `count`. */
export const negativeBinomialCdf = ({ size, probability }: NegativeBinomial, count: number): number =>
  count < 0 ? 0 : regularisedBeta(probability, size, Math.floor(count) + 1)

/** Smallest count whose cumulative probability reaches `p`. */
export function negativeBinomialQuantile(distribution: NegativeBinomial, p: number): number {
  const { size, probability } = distribution
  if (size === 0 || probability >= 1) return 0
  const reaches = (count: number) => negativeBinomialCdf(distribution, count) >= p
  let high = Math.ceil((size * (1 - probability)) / probability)
  let low = -1
  while (!reaches(high)) {
    low = high
    high = 2 * high + 1
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (reaches(middle)) high = middle
    else low = middle
  }
  return high
}

const TINY = 1e-300
/** Some square roots of the larger parameter are needed; the bound ends the loop where rounding keeps it from settling. */
const MOST_TERMS = 100_000

/** Regularised incomplete beta function I_x(a, b), by its continued fraction on the side where that converges quickly. */
export function regularisedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  return x < (a + 1) / (a + b + 2) ? betaFraction(x, a, b) : 1 - betaFraction(1 - x, b, a)
}

/** Lentz' method. */
function betaFraction(x: number, a: number, b: number): number {
  const factor = Math.exp(
    lgamma(a + b) - lgamma(a) - lgamma(b) + a * Math.log(x) + b * Math.log1p(-x) - Math.log(a),
  )
  const awayFromZero = (value: number) => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let h = d
  for (let m = 1; m < MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    h *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    h *= d * c
    if (Math.abs(d * c - 1) <= 2 * Number.EPSILON) break
  }
  return factor * h
}
