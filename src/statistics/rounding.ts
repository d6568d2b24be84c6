/** Digits that a double keeps for certain; noise of the last bit must not decide a half. */
const SIGNIFICANT = 15

/** Rounds half away from zero; for the end of a computation, never in between. */
export function round(value: number, decimals: number): number {
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
