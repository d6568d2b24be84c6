/** Digits that a double keeps for certain; noise of the last bit must not decide a half. */
const SIGNIFICANT = 15

/** Scaled numbers below are exact to this distance from a half. */
const SMALL = 1e9
const NEAR_HALF = 1e-6

/** Rounds half away from zero; for the end of a computation, never in between. */
export function round(value: number, decimals: number): number {
  const power = 10 ** decimals
  const scaled = Math.abs(value) * power
  // Most numbers are clearly on one side: no need to look at their digits.
  if (scaled < SMALL && Math.abs(scaled - Math.floor(scaled) - 0.5) > NEAR_HALF)
    return (Math.sign(value) * Math.round(scaled)) / power || 0
  return roundByDigits(value, decimals)
}

function roundByDigits(value: number, decimals: number): number {
  const [digits, exponent] = Math.abs(value)
    .toExponential(SIGNIFICANT - 1)
    .split('e')
  const power = Number(exponent) + decimals
  // Beyond the digits of a double there is nothing to round.
  if (power >= SIGNIFICANT) return value
  const rounded = Number(`${Math.round(Number(`${digits}e${power}`))}e${-decimals}`)
  return value < 0 && rounded > 0 ? -rounded : rounded
}

/** The same of a number that may be missing. */
export const roundOrNull = (value: number | null, decimals: number): number | null =>
  value === null ? null : round(value, decimals)

/** Largest integer that is not above; a product that misses an integer by the last bits is that integer. */
export const floor = (value: number): number => Math.floor(round(value, 9))
