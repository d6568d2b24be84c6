import type { Origin } from '../../caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { KeyedHash } from '../cipher.ts'
import {
  type Attempt,
  countFalhas,
  deleteBloqueios,
  deleteFalhasOfOrigem,
  deleteOldFalhas,
  findBloqueio,
  insertFalha,
  lockConta,
  upsertBloqueio,
  upsertOrigemConhecida,
} from './lockout.sql.ts'
import { sourceOf } from './origem.ts'

/**
 * Guessing is stopped by counting failures of one account, from one source and from anywhere:
 *
 *   5 failures within 15 min from one source  → locked for that source for 15 min
 *   50 failures within 15 min from anywhere   → locked for 15 min, except for sources that logged in well before
 *
 * A lock stands also against the right password. An account is known by a keyed hash of its email, so an address that
 * has no account counts and locks in exactly the same way. A login, a reset of the password or an administrator ends it.
 */
export const FAILURES_FROM_ONE_SOURCE = 5
export const FAILURES_FROM_ANYWHERE = 50
const WINDOW_MS = 15 * 60_000
const LOCK_MS = 15 * 60_000
const EVERYWHERE = '*'

export type { Attempt }

export interface Lockout {
  attempt(email: string, origin: Origin): Attempt
  /** Until when a lock stands against the attempt, if one does. */
  lockedUntil(db: Db, attempt: Attempt, now: Date): Promise<Date | null>
  /** Counts a failure; answers until when it locked the account, if it did. */
  fail(tx: Db, attempt: Attempt, now: Date): Promise<Date | null>
  succeed(tx: Db, attempt: Attempt, now: Date): Promise<void>
  unlock(tx: Db, email: string): Promise<void>
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
      return (await findBloqueio(db, attempt, now))?.bloqueado_ate ?? null
    },
    async fail(tx, attempt, now) {
      await lockConta(tx, attempt.conta)
      await deleteOldFalhas(tx, attempt.conta, new Date(now.getTime() - WINDOW_MS))
      await insertFalha(tx, attempt, now)
      const { aqui, total } = await countFalhas(tx, attempt)
      const until = new Date(now.getTime() + LOCK_MS)
      if (total >= FAILURES_FROM_ANYWHERE) await upsertBloqueio(tx, { ...attempt, origem: EVERYWHERE }, until)
      if (aqui >= FAILURES_FROM_ONE_SOURCE) await upsertBloqueio(tx, attempt, until)
      return (await findBloqueio(tx, attempt, now))?.bloqueado_ate ?? null
    },
    async succeed(tx, attempt, now) {
      await deleteFalhasOfOrigem(tx, attempt)
      await upsertOrigemConhecida(tx, attempt, now)
    },
    unlock: (tx, email) => deleteBloqueios(tx, contaOf(email)),
  }
}

export function locked(until: Date): AppError<'ACCOUNT_LOCKED'> {
  return new AppError('ACCOUNT_LOCKED', { locked_until: until })
}
