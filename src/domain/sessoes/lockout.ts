import type { Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { KeyedHash } from '../cipher.ts'
import {
  type Attempt,
  type Bloqueios,
  countFalhas,
  deleteBloqueios,
  deleteFalhasOfOrigem,
  findBloqueios,
  insertBloqueio,
  insertFalha,
  lockAttempt,
  upsertOrigemConhecida,
} from './lockout.sql.ts'
import { sourceOf } from './origem.ts'

/**
 * Guessing is stopped by counting the failures of 15 minutes, of an account and of a source. Each lock lasts 15 minutes:
 *
 *   5 of one account from one source  → the account, for that source
 *   50 of one account from anywhere   → the account, except for sources that it logged in from before
 *   30 from one source on any account → the source, except for accounts that logged in from there before
 *
 * A lock stands also against the right password. An account is known by a keyed hash of its email, so an address that
 * has no account counts and locks in exactly the same way. A login, a reset of the password or an administrator ends the
 * locks of an account; after a reset or an administrator's word, the source locks of that moment do not hold for it.
 */
export const FAILURES_FROM_ONE_SOURCE = 5
export const FAILURES_FROM_ANYWHERE = 50
/** Leaves room for the typing errors of an office behind one address: those followed by a login are forgotten. */
export const FAILURES_OF_ONE_SOURCE = 30
const WINDOW_MS = 15 * 60_000
const LOCK_MS = 15 * 60_000
const EVERYWHERE = '*'
const ALL_ACCOUNTS = Buffer.alloc(0)

export type { Attempt }

/** Locks that stand after a failure. */
export interface Failure {
  accountLockedUntil: Date | null
  /** Told to known accounts, too: else the answer to a wrong password would tell who logs in from there. */
  sourceLockedUntil: Date | null
  /** This failure locked the source. */
  locksSource: boolean
}

export interface Lockout {
  attempt(email: string, origin: Origin): Attempt
  /** Until when a lock stands against the attempt, if one does. */
  lockedUntil(db: Db, attempt: Attempt, now: Date): Promise<Date | null>
  /** Counts a failure. */
  fail(tx: Db, attempt: Attempt, now: Date): Promise<Failure>
  succeed(tx: Db, attempt: Attempt, now: Date): Promise<void>
  unlock(tx: Db, email: string, now: Date): Promise<void>
}

/**
 * Accounts are looked up and failures counted by this one form. PostgreSQL's `lower` folds other letters than
 * JavaScript's (`İ` to `i`): with both in use, `admİn@` would reach the account of `admin@` past its lock.
 */
export const canonicalEmail = (email: string) => email.trim().replaceAll('İ', 'i').toLowerCase()

export function createLockout(hashOf: KeyedHash): Lockout {
  const contaOf = (email: string) => hashOf(canonicalEmail(email))
  return {
    attempt: (email, origin) => ({ conta: contaOf(email), origem: sourceOf(origin.endereco_ip) }),
    async lockedUntil(db, attempt, now) {
      const bloqueios = await findBloqueios(db, attempt, now)
      return later(bloqueios.conta_ate, isExempt(bloqueios) ? null : bloqueios.origem_ate)
    },
    async fail(tx, attempt, now) {
      await lockAttempt(tx, attempt)
      await insertFalha(tx, attempt, now)
      const falhas = await countFalhas(tx, attempt, new Date(now.getTime() - WINDOW_MS))
      const lock = (what: Partial<Attempt>) =>
        insertBloqueio(tx, { ...attempt, ...what }, new Date(now.getTime() + LOCK_MS), now)
      if (falhas.da_conta >= FAILURES_FROM_ANYWHERE) await lock({ origem: EVERYWHERE })
      if (falhas.da_conta_aqui >= FAILURES_FROM_ONE_SOURCE) await lock({})
      const locksSource =
        falhas.da_origem >= FAILURES_OF_ONE_SOURCE && (await lock({ conta: ALL_ACCOUNTS })) > 0
      const { conta_ate, origem_ate } = await findBloqueios(tx, attempt, now)
      return { accountLockedUntil: conta_ate, sourceLockedUntil: origem_ate, locksSource }
    },
    async succeed(tx, attempt, now) {
      await deleteFalhasOfOrigem(tx, attempt)
      await upsertOrigemConhecida(tx, attempt, now)
    },
    async unlock(tx, email, now) {
      const conta = contaOf(email)
      await deleteBloqueios(tx, conta)
      await upsertOrigemConhecida(tx, { conta, origem: EVERYWHERE }, now)
    },
  }
}

/** From the lock of its source: by having logged in from there, or by being unlocked since it began. */
function isExempt({ conhecida, origem_ate, desbloqueada_em }: Bloqueios): boolean {
  if (conhecida || origem_ate === null || desbloqueada_em === null) return conhecida
  return desbloqueada_em.getTime() >= origem_ate.getTime() - LOCK_MS
}

export function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

export function locked(until: Date): AppError<'ACCOUNT_LOCKED'> {
  return new AppError('ACCOUNT_LOCKED', { locked_until: until })
}
