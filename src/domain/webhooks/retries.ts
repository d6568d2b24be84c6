import type { Outcome } from '../../outbound/outbound.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** After the first failure, the second …; what fails once more is given up. */
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
/** Up to a tenth later: receivers that failed together are not called together. */
const JITTER = 0.1
const MAX_WAIT_MS = 24 * HOUR_MS
const GONE = 410

export type Desfecho =
  | { tipo: 'entregue' }
  /** Tried again then. `pausa`: the receiver asked that nothing else comes before, either. */
  | { tipo: 'adiada'; em: Date; pausa: Date | null; desligar: boolean }
  | { tipo: 'desistida'; pausa: Date | null }

/** What an attempt leads to, the `tentativas`-th (from 1). `random` between 0 and 1. */
export function consequenceOf(outcome: Outcome, tentativas: number, now: Date, random: number): Desfecho {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300)
    return { tipo: 'entregue' }
  const asked = outcome.kind === 'answered' ? waitAsked(outcome.retryAfter, now) : null
  const pausa = asked === null ? null : new Date(now.getTime() + asked)
  const desligar = outcome.kind === 'answered' && outcome.status === GONE
  const retry = RETRIES_MS[tentativas - 1]
  if (retry === undefined && !desligar) return { tipo: 'desistida', pausa }
  const wait = Math.max((retry ?? 0) * (1 + JITTER * random), asked ?? 0)
  return { tipo: 'adiada', em: new Date(now.getTime() + Math.round(wait)), pausa, desligar }
}

/** `Retry-After`, seconds or a date; nobody is waited for longer than a day. */
function waitAsked(retryAfter: string | null, now: Date): number | null {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, MAX_WAIT_MS)
}
