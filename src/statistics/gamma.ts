/**
 * Gamma function and gamma distribution, to ten significant digits or more for shapes from 0.1 to ten million.
 *
 * The regularised incomplete gamma function is a Poisson probability times a series (x < a + 1) or a continued fraction. That
 * probability comes from Loader's saddle-point form: `a·ln x − x − lnΓ(a)` would lose a digit for every power of ten of `a`.
 */

const HALF_LN_2PI = 0.9189385332046728
/** From here on Stirling's series is exact to the last bit. */
const STIRLING_FROM = 15

/** Lanczos' coefficients for g = 7. */
const G = 7
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const

/** Natural logarithm of Γ(x), x > 0. */
export function lgamma(x: number): number {
  if (x >= STIRLING_FROM) return (x - 0.5) * Math.log(x) - x + HALF_LN_2PI + stirlingSeries(x)
  // Reflection, where the sum would lose digits.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lgamma(1 - x)
  let series: number = LANCZOS[0]
  for (let i = 1; i < LANCZOS.length; i++) series += (LANCZOS[i] as number) / (x - 1 + i)
  const t = x - 0.5 + G
  return HALF_LN_2PI + (x - 0.5) * Math.log(t) - t + Math.log(series)
}

/** Error of Stirling's formula for lnΓ(x). */
function stirlingSeries(x: number): number {
  const square = x * x
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / x
}

const stirlingError = (a: number): number =>
  a >= STIRLING_FROM ? stirlingSeries(a) : lgamma(a + 1) - (a + 0.5) * Math.log(a) + a - HALF_LN_2PI

/** Deviance `a·ln(a/x) + x − a`; near its zero by a series, since the terms cancel. */
function deviance(a: number, x: number): number {
  if (Math.abs(a - x) >= 0.1 * (a + x)) return a * Math.log(a / x) + x - a
  const v = (a - x) / (a + x)
  let total = (a - x) * v
  let power = 2 * a * v
  for (let j = 3; Math.abs(power) > Math.abs(total) * Number.EPSILON; j += 2) {
    power *= v * v
    total += power / j
  }
  return total
}

/** xᵃe⁻ˣ/Γ(a+1): for a whole `a`, the Poisson probability of `a` at mean `x`. */
const poisson = (a: number, x: number): number =>
  Math.exp(-stirlingError(a) - deviance(a, x)) / Math.sqrt(2 * Math.PI * a)

/** Regularised lower incomplete gamma function P(a, x). */
export function lowerGamma(a: number, x: number): number {
  if (x <= 0) return 0
  return x < a + 1 ? ofSeries(a, x) : 1 - ofFraction(a, x)
}

/** Regularised upper incomplete gamma function Q(a, x) = 1 − P(a, x), exact also where it is tiny. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  return x < a + 1 ? 1 - ofSeries(a, x) : ofFraction(a, x)
}

function ofSeries(a: number, x: number): number {
  let term = 1
  let total = 1
  for (let n = a + 1; term > total * Number.EPSILON; n++) {
    term *= x / n
    total += term
  }
  return poisson(a, x) * total
}

/** A few square roots of the shape are needed; the bound ends the loop where rounding keeps it from settling. */
const MOST_TERMS = 100_000

/** Lentz' method for the continued fraction of Q. */
function ofFraction(a: number, x: number): number {
  const factor = poisson(a, x) * a
  if (factor === 0) return 0
  let b = x + 1 - a
  let c = Number.POSITIVE_INFINITY
  let d = 1 / b
  let h = d
  for (let i = 1; i < MOST_TERMS; i++) {
    const numerator = -i * (i - a)
    b += 2
    d = 1 / (numerator * d + b)
    c = b + numerator / c
    const change = c * d
    h *= change
    if (Math.abs(change - 1) <= 2 * Number.EPSILON) break
  }
  return factor * h
}

/** Gamma distribution by shape and scale. */
export interface Gamma {
  shape: number
  scale: number
}

export const gammaCdf = ({ shape, scale }: Gamma, x: number): number => lowerGamma(shape, x / scale)
/** Probability of more than `x`. */
export const gammaSurvival = ({ shape, scale }: Gamma, x: number): number => upperGamma(shape, x / scale)
export const gammaQuantile = ({ shape, scale }: Gamma, p: number): number =>
  inverseLowerGamma(shape, p) * scale

/** Size of a step, in units of the spread, after which the next one, cubically smaller, is below the last bit. */
const CLOSE_ENOUGH = 1e-8
const MOST_STEPS = 100

/** x with P(a, x) = p: Halley's method from an approximation, kept inside of a bracket. */
export function inverseLowerGamma(a: number, p: number): number {
  if (p <= 0) return 0
  if (p >= 1) return Number.POSITIVE_INFINITY
  let low = 0
  let high = Number.POSITIVE_INFINITY
  let x = startOf(a, p)
  for (let step = 0; step < MOST_STEPS; step++) {
    const error = p < 0.5 ? lowerGamma(a, x) - p : 1 - p - upperGamma(a, x)
    if (error === 0) return x
    if (error < 0) low = x
    else high = x
    const newton = error / ((poisson(a, x) * a) / x)
    const halley = newton / (1 - 0.5 * Math.min(1, newton * ((a - 1) / x - 1)))
    const next = x - halley
    if (Math.abs(halley) <= (CLOSE_ENOUGH * x) / Math.sqrt(Math.max(1, a))) return next
    if (next > low && next < high) x = next
    else x = high === Number.POSITIVE_INFINITY ? 2 * low : (low + high) / 2
  }
  return x
}

/** Wilson and Hilferty's cube of a normal; for small shapes, or where that is not positive, the power law of the left tail. */
function startOf(a: number, p: number): number {
  const ninth = 1 / (9 * a)
  const root = 1 - ninth + approximateNormalQuantile(p) * Math.sqrt(ninth)
  return root < 0.2 || a < 0.5 ? Math.exp((Math.log(p) + lgamma(a + 1)) / a) : a * root ** 3
}

/** Abramowitz and Stegun 26.2.23, to 4.5e-4. */
function approximateNormalQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(p, 1 - p)))
  const z =
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3)
  return p < 0.5 ? -z : z
}
