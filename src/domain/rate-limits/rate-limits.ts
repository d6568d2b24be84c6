import type { Plano } from '../../caller/planos.ts'
import type { Db } from '../../db/db.ts'
import type { Clock } from '../../system/clock.ts'
import type { KeyedHash } from '../cipher.ts'
import { sourceOf } from '../sessoes/origem.ts'
import { type Taking, takeFromLimites } from './rate-limits.sql.ts'

/**
 * How often one may ask, over all instances. The count of a key (an account, or an address) is one row with two windows,
 * a minute and an hour, each of which begins with the first request after the last one's end.
 *
 *   nothing reserved → take a block of requests from the row, in one statement for all keys that wait → reserved
 *   reserved         → spend one, in memory                                                  → reserved, or nothing
 *   the row is empty → refuse, in memory, until its window ends                              → nothing reserved
 *
 * What is spent was taken before, so a limit is never exceeded; what an instance has reserved is missing to the others:
 * less than 1 % of the minute's limit. What is left of it goes back with the next taking, or when the process stops.
 */
export interface Limite {
  perMinute: number
  perHour: number
}

/** Spec part 8. */
export const LIMITES: Readonly<Record<Plano, Limite>> = {
  basico: { perMinute: 50, perHour: 1_000 },
  premium: { perMinute: 200, perHour: 10_000 },
  enterprise: { perMinute: 1_000, perHour: 50_000 },
}
const PLANO_OF_ADDRESSES: Plano = 'enterprise'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** After a fault the database is left alone for this long. */
const FAULT_MS = 1_000
const BEYOND_REACH = 1_000_000

/** An account, or the address of somebody without one. */
export type Requester = { id: number; plano: Plano } | { address: string | null }

/** Whether a request may pass, and the window that is closer to its end of allowance. */
export interface Quota {
  granted: boolean
  limit: number
  remaining: number
  resetsAt: Date
}

export interface Limites {
  /** Counts a request. When the database does not answer within the patience, it is granted and counted afterwards. */
  take(requester: Requester, patienceMs: number): Promise<Quota>
  /** What is reserved and not spent, for the other instances. */
  giveBack(): Promise<void>
}

export interface LimitesOptions {
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

interface Reserve {
  chave: string
  limite: Limite
  block: number
  /** Taken and not yet spent. */
  unspent: number
  /** The row as the last taking left it. */
  minute: Window
  hour: Window
  /** Requests that need more than is there. */
  waiting: number
  taking: Promise<void> | null
}

interface Round {
  /** By the key of their row, which one statement can change only once. */
  reserves: Map<string, Reserve>
  done: Promise<void>
}

export function createLimites(options: LimitesOptions): Limites {
  const { db, clock, hashOf, onError, lifted = false } = options
  const reserves = new Map<string, Reserve>()
  let nextRound: Round | null = null
  let lastRound = Promise.resolve()
  let askAgainAt = 0
  let tidyAt = 0

  /** One for each plan, so that another plan holds from the next request on. */
  function reserveOf(requester: Requester): Reserve {
    const plano = 'id' in requester ? requester.plano : PLANO_OF_ADDRESSES
    const source = 'id' in requester ? String(requester.id) : sourceOf(requester.address)
    const name = 'id' in requester ? `${plano} ${source}` : source
    const known = reserves.get(name)
    if (known) return known
    const chave =
      'id' in requester ? `usuario:${source}` : `endereco:${hashOf(source).toString('base64url', 0, 16)}`
    const reserve = newReserve(chave, lifted ? lift(LIMITES[plano]) : LIMITES[plano])
    reserves.set(name, reserve)
    return reserve
  }

  /** Null when the row has to be asked. */
  function spend(reserve: Reserve): Quota | null {
    const now = clock.now().getTime()
    const { minute, hour } = reserve
    if (now < minute.endsAt && now < hour.endsAt) {
      if (reserve.unspent > 0) {
        reserve.unspent--
        return quotaOf(reserve, now, true)
      }
      if (minute.left === 0 || hour.left === 0) return quotaOf(reserve, now, false)
    }
    // It will meet the database's own fault; where it does not need the database, nothing is wrong.
    return now < askAgainAt ? quotaOf(reserve, now, true) : null
  }

  async function spendNext(reserve: Reserve): Promise<Quota> {
    reserve.waiting++
    try {
      for (;;) {
        reserve.taking ??= takeTogether(reserve).finally(() => {
          reserve.taking = null
        })
        await reserve.taking
        const quota = spend(reserve)
        if (quota) return quota
      }
    } finally {
      reserve.waiting--
    }
  }

  /** One statement at a time: whoever comes while it runs is in the next one, with all others. */
  function takeTogether(reserve: Reserve): Promise<void> {
    if (nextRound === null) {
      const reserves = new Map<string, Reserve>()
      const done = lastRound.then(() => {
        nextRound = null
        return takeAll(reserves)
      })
      lastRound = done
      nextRound = { reserves, done }
    }
    const { reserves, done } = nextRound
    // The same account under two plans: the second one has to come again.
    if (!reserves.has(reserve.chave)) reserves.set(reserve.chave, reserve)
    return done
  }

  async function takeAll(round: Map<string, Reserve>): Promise<void> {
    const now = clock.now()
    tidy(now.getTime())
    const takings = [...round.values()].map(toTaking)
    for (const reserve of round.values()) reserve.unspent = 0
    try {
      for (const row of await takeFromLimites(db, takings, now)) {
        const reserve = round.get(row.chave) as Reserve
        reserve.unspent = row.concedido
        reserve.minute = windowOf(reserve.limite.perMinute, row.minuto_gasto, row.minuto_fim)
        reserve.hour = windowOf(reserve.limite.perHour, row.hora_gasto, row.hora_fim)
      }
    } catch (error) {
      askAgainAt = now.getTime() + FAULT_MS
      onError(error)
    }
  }

  /** Forgets, once a minute, who has not asked for one. */
  function tidy(now: number): void {
    if (now < tidyAt) return
    tidyAt = now + MINUTE_MS
    const over = [...reserves].filter(([, { minute, waiting }]) => minute.endsAt <= now && waiting === 0)
    for (const [name] of over) reserves.delete(name)
    giveBackAll(over.map(([, reserve]) => reserve))
  }

  async function giveBackAll(those: Reserve[]): Promise<void> {
    await Promise.all(those.filter(({ unspent }) => unspent > 0).map(takeTogether))
  }

  return {
    async take(requester, patienceMs) {
      const reserve = reserveOf(requester)
      const unknown = () => quotaOf(reserve, clock.now().getTime(), true)
      return spend(reserve) ?? within(patienceMs, spendNext(reserve), unknown)
    },
    giveBack: () => giveBackAll([...reserves.values()]),
  }
}

function newReserve(chave: string, limite: Limite): Reserve {
  return {
    chave,
    limite,
    block: Math.max(1, limite.perMinute / 100),
    unspent: 0,
    minute: { left: 0, endsAt: 0 },
    hour: { left: 0, endsAt: 0 },
    waiting: 0,
    taking: null,
  }
}

function lift({ perMinute, perHour }: Limite): Limite {
  return { perMinute: perMinute * BEYOND_REACH, perHour: perHour * BEYOND_REACH }
}

function toTaking({ chave, limite, block, unspent, minute, hour, waiting }: Reserve): Taking {
  return {
    chave,
    // Nobody waits where the rest is only given back.
    wanted: waiting === 0 ? 0 : Math.max(block, waiting),
    ...limite,
    unspent,
    minuto_fim: new Date(minute.endsAt),
    hora_fim: new Date(hour.endsAt),
  }
}

function windowOf(limit: number, spent: number, end: Date): Window {
  return { left: Math.max(0, limit - spent), endsAt: end.getTime() }
}

function quotaOf({ limite, unspent, ...windows }: Reserve, now: number, granted: boolean): Quota {
  const shown = (limit: number, lasts: number, { left, endsAt }: Window) =>
    now < endsAt
      ? { limit, remaining: left + unspent, endsAt }
      : { limit, remaining: limit, endsAt: now + lasts }
  const minute = shown(limite.perMinute, MINUTE_MS, windows.minute)
  const hour = shown(limite.perHour, HOUR_MS, windows.hour)
  // Where both have the same left, the one that makes wait longer.
  const closer = minute.remaining - hour.remaining || hour.endsAt - minute.endsAt
  const { limit, remaining, endsAt } = closer < 0 ? minute : hour
  return { granted, limit, remaining, resetsAt: new Date(endsAt) }
}

function within<T>(ms: number, work: Promise<T>, otherwise: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise()), ms)
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
