import { ratePer100k } from '../../../statistics/rate.ts'
import { round, roundOrNull } from '../../../statistics/rounding.ts'

/** Per 100,000 residents. */
export const rateOf = (casos: number, populacao: number | null) =>
  roundOrNull(ratePer100k(casos, populacao), 4)

/** In per cent; null where there was nothing before. */
export function change(now: number, before: number): number | null {
  return before === 0 ? null : round((100 * (now - before)) / before, 2)
}

export const weeksFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)
