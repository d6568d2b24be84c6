import type { Origin } from '../../caller/caller.ts'
import { sourceOf } from '../../caller/source.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { KeyedHash } from '../cipher.ts'
import {
  type Bloqueios,
  countFalhas,
  deleteBloqueios,
  deleteFalhasOfOrigem,
  findBloqueios,
  insertBloqueio,
  insertFalha,
  type LoginAttempt,
  lockAttempt,
  upsertOrigemConhecida,
} from './lockout.sql.ts'

export { forgetBloqueios, forgetFalhas, forgetOrigens } from './lockout.sql.ts'

/**
 * Locks out guessing: counts failures of the last 15 minutes by account and by source. Each lock lasts 15 minutes:
 *
 *   5 of one account from one source  → the account, for that source
 *   50 of one account from anywhere   → the account, except for sources that it logged in from before
 *   30 from one source on any account → the source, except for accounts that logged in from there before
 *
 * A lock refuses the right password, too. Accounts are identified by a keyed hash of their email, so an address without an
 * account counts and locks in exactly the same way. A login, a password reset or an administrator ends the locks of an
 * account; a reset or an administrator also exempts it from the source locks of that moment.
 */
export const FAILURES_FROM_ONE_SOURCE = 5
export const FAILURES_FROM_ANYWHERE = 50
/** Leaves room for typing errors of an office behind one address: a login forgets the failures before it. */
export const FAILURES_OF_ONE_SOURCE = 30
const WINDOW_MS = 15 * 60_000
const LOCK_MS = 15 * 60_000
const EVERYWHERE = '*'
const ALL_ACCOUNTS = Buffer.alloc(0)

export type { LoginAttempt }

/** Locks that stand after a failure. */
export interface Failure {
  accountLockedUntil: Date | null
  /** Reported for exempt accounts, too: otherwise the answer to a wrong password would reveal who logs in from there. */
  sourceLockedUntil: Date | null
  /** True if this failure locked the source. */
  locksSource: boolean
}

export interface Lockout {
  attempt(email: string, origin: Origin): LoginAttempt
  /** End of the lock that refuses the attempt, if any. */
  lockedUntil(db: Db, attempt: LoginAttempt, now: Date): Promise<Date | null>
  /** Counts a failure; a lock that it begins names the account of the address, if it has one. */
  fail(tx: Db, attempt: LoginAttempt, now: Date, usuarioId: number | null): Promise<Failure>
  succeed(tx: Db, attempt: LoginAttempt, now: Date): Promise<void>
  unlock(tx: Db, email: string, now: Date): Promise<void>
}

/**
 * Canonical form for account look-up and failure counts alike. PostgreSQL's `lower` folds other letters than JavaScript's
 * (`İ` to `i`): with both in use, `admİn@` would reach the account of `admin@` past its lock.
 */
export const canonicalEmail = (email: string) => email.trim().replaceAll('İ', 'i').toLowerCase()

export function createLockout(hashOf: KeyedHash): Lockout {
  const contaOf = (email: string) => hashOf(canonicalEmail(email))
  return {
    attempt: (email, origin) => ({ conta: contaOf(email), origem: sourceOf(origin.endereco_ip) }),
    async lockedUntil(db, attempt, now) {
      const bloqueios = await findBloqueios(db, attempt, now)
      return later(bloqueios.account_until, isExempt(bloqueios) ? null : bloqueios.source_until)
    },
    async fail(tx, attempt, now, usuarioId) {
      await lockAttempt(tx, attempt)
      await insertFalha(tx, attempt, now)
      const falhas = await countFalhas(tx, attempt, new Date(now.getTime() - WINDOW_MS))
      const lock = (what: Partial<LoginAttempt>, account: number | null) =>
        insertBloqueio(tx, { ...attempt, ...what }, new Date(now.getTime() + LOCK_MS), now, account)
      if (falhas.of_account >= FAILURES_FROM_ANYWHERE) await lock({ origem: EVERYWHERE }, usuarioId)
      if (falhas.of_account_here >= FAILURES_FROM_ONE_SOURCE) await lock({}, usuarioId)
      const locksSource =
        falhas.of_source >= FAILURES_OF_ONE_SOURCE && (await lock({ conta: ALL_ACCOUNTS }, null)) > 0
      const { account_until, source_until } = await findBloqueios(tx, attempt, now)
      return { accountLockedUntil: account_until, sourceLockedUntil: source_until, locksSource }
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

/** Exempt from a source lock: logged in from there before, or unlocked since the lock began. */
function isExempt({ known, source_until, unlocked_at }: Bloqueios): boolean {
  if (known || source_until === null || unlocked_at === null) return known
  return unlocked_at.getTime() >= source_until.getTime() - LOCK_MS
}

export function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}

export function locked(until: Date): AppError<'ACCOUNT_LOCKED'> {
  return new AppError('ACCOUNT_LOCKED', { locked_until: until })
}
