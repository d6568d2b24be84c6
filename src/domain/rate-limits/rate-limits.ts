import { ALLOWANCES, type Allowance, type Plano } from '../../caller/planos.ts'
import { sourceOf } from '../../caller/source.ts'
import { createBatcher } from '../../db/batch.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import { BoundedMap } from '../../system/bounded-map.ts'
import type { Clock } from '../../system/clock.ts'
import type { KeyedHash } from '../cipher.ts'
import { type LimiteRow, takeFromLimites } from './rate-limits.sql.ts'

export { forgetLimites, mostUsedLimites } from './rate-limits.sql.ts'

/**
 * Fixed-window rate limits, shared by all instances. The count of a key (an account, or an address) is one row with two
 * windows, a minute and an hour, each of which begins with the first request after the last one's end.
 *
 * Every request is counted in the database; concurrent ones share a statement, at the price of one round trip before the
 * request is handled. A key whose window is used up is refused from memory until the window ends.
 */
const ALLOWANCE_OF_ADDRESSES = ALLOWANCES.enterprise
/** Of an account in the console, whatever its plan, beside that of its programs: nobody clicks faster. */
const ALLOWANCE_OF_CONSOLE: Allowance = { perMinute: 600, perHour: 36_000 }
/** Of an address on the public routes, beside all else it asks: a page of a newspaper reads some, a copy of everything takes days. */
const ALLOWANCE_OF_PUBLIC: Allowance = { perMinute: 60, perHour: 1_000 }
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Pause after a fault: no request then waits for a database that is away. */
const FAULT_PAUSE_MS = 1_000
/** Factor of `lifted` allowances: more than any load test asks for in an hour. */
const LIFT = 1_000_000
/** Keys whose windows are remembered, some 200 bytes each; a forgotten one costs a statement. */
const MOST_REMEMBERED = 10_000

/** Allowance of an account, in the console or by its programs. */
export const allowanceOf = (plano: Plano, isConsole: boolean): Allowance =>
  isConsole ? ALLOWANCE_OF_CONSOLE : ALLOWANCES[plano]

/** An account, in the console or by its programs, or the address of a caller without one. */
export type Requester =
  | { id: number; plano: Plano; isConsole?: boolean }
  | { address: string | null; isPublic?: boolean }

/** The decision, and the window with the fewest requests left. */
export interface RateQuota {
  granted: boolean
  limit: number
  remaining: number
  resetsAt: Date
}

export interface RateLimits {
  /** Counts a request. Fails open: after `timeoutMs` without an answer the request is granted, and counted later. */
  take(requester: Requester, timeoutMs: number): Promise<RateQuota>
}

/**
 * Takes one of an account's share of a costly kind of request, beside all its others; refuses (429) where it is used up. Holds
 * whatever `RATE_LIMITS` says: it protects patients, not the service.
 */
export async function takeOne(
  { db, clock }: { db: Db; clock: Clock },
  { kind, usuarioId, perHour }: { kind: string; usuarioId: number; perHour: number },
): Promise<void> {
  const now = clock.now()
  const taking = { chave: `${kind}:${usuarioId}`, wanted: 1, perMinute: perHour, perHour }
  const [row] = await takeFromLimites(db, [taking], now)
  if (row === undefined || row.concedido > 0) return
  const until = row.hora_gasto >= perHour ? row.hora_fim : row.minuto_fim
  throw new AppError('RATE_LIMITED', {
    retryAfter: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000)),
  })
}

export interface RateLimitsOptions {
  db: Db
  clock: Clock
  /** Hides the addresses. */
  hashOf: KeyedHash
  onError: (error: unknown) => void
  /** Counts and shows, but refuses nobody. */
  lifted?: boolean
}

interface Window {
  left: number
  endsAt: number
}

/** The row of a key as the last statement left it. */
interface Windows {
  minute: Window
  hour: Window
}

interface Asked {
  chave: string
  allowance: Allowance
}

const UNKNOWN: Windows = { minute: { left: 0, endsAt: 0 }, hour: { left: 0, endsAt: 0 } }

export function createRateLimits(options: RateLimitsOptions): RateLimits {
  const { db, clock, hashOf, onError, lifted = false } = options
  const known = new BoundedMap<string, Windows>(MOST_REMEMBERED)
  const counter = createBatcher(count, { most: Number.POSITIVE_INFINITY })
  let pausedUntil = 0

  function askedBy(requester: Requester): Asked {
    const asked = 'id' in requester ? askedByAccount(requester) : askedByAddress(requester)
    return lifted ? { ...asked, allowance: lift(asked.allowance) } : asked
  }

  function askedByAddress({ address, isPublic = false }: Extract<Requester, { address: unknown }>): Asked {
    const hash = hashOf(sourceOf(address)).toString('base64url', 0, 16)
    if (isPublic) return { chave: `publico:${hash}`, allowance: ALLOWANCE_OF_PUBLIC }
    return { chave: `endereco:${hash}`, allowance: ALLOWANCE_OF_ADDRESSES }
  }

  /** The quota of each request, or null where the database did not answer. */
  async function count(asked: Asked[]): Promise<(RateQuota | null)[]> {
    const now = clock.now()
    const byKey = Map.groupBy(asked, ({ chave }) => chave)
    // Of two plans in one batch, the one read last holds.
    const takings = [...byKey].map(([chave, those]) => ({
      chave,
      wanted: those.length,
      ...(those.at(-1) as Asked).allowance,
    }))
    try {
      const rows = await takeFromLimites(db, takings, now)
      const quotas = new Map(
        rows.map((row) => [row.chave, share(row, byKey.get(row.chave) as Asked[], now.getTime())]),
      )
      return asked.map(({ chave }) => quotas.get(chave)?.shift() ?? null)
    } catch (error) {
      pausedUntil = now.getTime() + FAULT_PAUSE_MS
      onError(error)
      return asked.map(() => null)
    }
  }

  /** Grants what the row gave to the first of its requests; each is shown what was left after it. */
  function share(row: LimiteRow, those: Asked[], now: number): RateQuota[] {
    const { allowance } = those.at(-1) as Asked
    const windows = {
      minute: windowOf(allowance.perMinute, row.minuto_gasto, row.minuto_fim),
      hour: windowOf(allowance.perHour, row.hora_gasto, row.hora_fim),
    }
    known.set(nameOf({ chave: row.chave, allowance }), windows)
    return those.map((_, i) => {
      const granted = i < row.concedido
      return quotaOf(allowance, windows, now, granted, granted ? row.concedido - 1 - i : 0)
    })
  }

  return {
    async take(requester, timeoutMs) {
      const asked = askedBy(requester)
      const now = clock.now().getTime()
      const windows = known.get(nameOf(asked)) ?? UNKNOWN
      if (isUsedUp(windows, now)) return quotaOf(asked.allowance, windows, now, false)
      const counted = now < pausedUntil ? null : await within(timeoutMs, counter.add(asked))
      return counted ?? quotaOf(asked.allowance, windows, clock.now().getTime(), true)
    },
  }
}

function askedByAccount({ id, plano, isConsole = false }: Extract<Requester, { id: number }>): Asked {
  return { chave: `${isConsole ? 'console' : 'usuario'}:${id}`, allowance: allowanceOf(plano, isConsole) }
}

/** By plan, so that another plan holds from the next request on. */
const nameOf = ({ chave, allowance }: Asked) => `${allowance.perMinute} ${chave}`

const lift = ({ perMinute, perHour }: Allowance): Allowance => ({
  perMinute: perMinute * LIFT,
  perHour: perHour * LIFT,
})

function windowOf(limit: number, spent: number, end: Date): Window {
  return { left: Math.max(0, limit - spent), endsAt: end.getTime() }
}

/** Known for as long as neither window has ended. */
const isUsedUp = ({ minute, hour }: Windows, now: number) =>
  now < minute.endsAt && now < hour.endsAt && (minute.left === 0 || hour.left === 0)

function quotaOf(
  { perMinute, perHour }: Allowance,
  windows: Windows,
  now: number,
  granted: boolean,
  /** Granted to later requests of the same statement. */
  later = 0,
): RateQuota {
  const shown = (limit: number, lasts: number, { left, endsAt }: Window) =>
    now < endsAt
      ? { limit, remaining: left + later, endsAt }
      : { limit, remaining: limit, endsAt: now + lasts }
  const minute = shown(perMinute, MINUTE_MS, windows.minute)
  const hour = shown(perHour, HOUR_MS, windows.hour)
  // With as few left in both, the one that ends later.
  const closer = minute.remaining - hour.remaining || hour.endsAt - minute.endsAt
  const { limit, remaining, endsAt } = closer < 0 ? minute : hour
  return { granted, limit, remaining, resetsAt: new Date(endsAt) }
}

/** Null after the time-out. */
function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms)
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
