import type { Outcome } from '../../outbound/outbound.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** Backoff after the first failure, the second …; a delivery that fails once more is given up. */
export const RETRIES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** Share of the backoff added at random: receivers that failed together are not called together. */
const JITTER = 0.1
/** Upper bound of `Retry-After`, the longest backoff of our own. */
const MAX_WAIT_MS = 24 * HOUR_MS
const GONE = 410

export type Consequence =
  | { kind: 'delivered' }
  /** Retried at `at`. `pauseUntil`: the receiver asked for no request at all before. `gone`: it answered 410. */
  | { kind: 'postponed'; at: Date; pauseUntil: Date | null; gone: boolean }
  | { kind: 'given-up'; pauseUntil: Date | null }

/** Decides on the attempt with this number (from 1). `random` between 0 and 1. */
export function consequenceOf(outcome: Outcome, number: number, now: Date, random: number): Consequence {
  if (isAccepted(outcome)) return { kind: 'delivered' }
  const asked = outcome.kind === 'answered' ? waitAsked(outcome.retryAfter, now) : null
  const pauseUntil = asked === null ? null : new Date(now.getTime() + asked)
  const gone = outcome.kind === 'answered' && outcome.status === GONE
  const backoff = RETRIES_MS[number - 1]
  if (backoff === undefined && !gone) return { kind: 'given-up', pauseUntil }
  const wait = Math.max((backoff ?? 0) * (1 + JITTER * random), asked ?? 0)
  return { kind: 'postponed', at: new Date(now.getTime() + Math.round(wait)), pauseUntil, gone }
}

export const isAccepted = (outcome: Outcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

/** `Retry-After` in milliseconds, sent as seconds or as a date; null when absent, unreadable or past. */
function waitAsked(retryAfter: string | null, now: Date): number | null {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, MAX_WAIT_MS)
}
