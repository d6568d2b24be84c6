import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors/catalogue.ts'
import type { Database, Db } from './db.ts'
import { isUnavailable } from './pg-errors.ts'
import { sql } from './sql.ts'

/** Reads off the primary where there is a standby (`DATABASE_READ_URL`). None is older than a write acknowledged before the call. */
export interface Reader {
  /** Snapshot of minutes, whose work is done once. `again`: a standby has failed this work before. */
  snapshot<T>(work: (tx: Db) => Promise<T>, options?: { again?: boolean }): Promise<T>
  /**
   * Reads of the standby, or of `primary` where none is there, is up to date or lasts: work without other effects, which may be
   * done twice.
   */
  read<D extends Db, T>(primary: D, work: (from: D | Database) => Promise<T>): Promise<T>
}

/** Bound of the wait for a standby to catch up; past it the primary is read. */
const CATCH_UP_MS = { snapshot: 1_000, read: 100 }
const PAUSE_MS = { snapshot: 50, read: 10 }
/** Short reads leave a standby alone after it was found behind, or away. */
const REST_MS = { behind: 1_000, away: 15_000 }

type Kind = keyof typeof CATCH_UP_MS

export function createReader(primary: Database, standby: Database | null): Reader {
  let restsUntil = 0
  const rest = (reason: keyof typeof REST_MS) => {
    restsUntil = Date.now() + REST_MS[reason]
  }

  async function usable(kind: Kind): Promise<Database | null> {
    if (standby === null) return null
    const state = await stateOf(primary, standby, kind)
    if (state === 'current') return standby
    rest(state)
    return null
  }

  return {
    async snapshot(work, { again = false } = {}) {
      return ((again ? null : await usable('snapshot')) ?? primary).snapshot(work)
    },
    async read(own, work) {
      const from = Date.now() < restsUntil ? null : await usable('read')
      if (from === null) return work(own)
      try {
        return await work(from)
      } catch (error) {
        if (error instanceof AppError && !isUnavailable(error)) throw error
        rest('away')
        return work(own)
      }
    },
  }
}

/** Waits until the standby has replayed what the primary has written by now. */
async function stateOf(
  primary: Database,
  standby: Database,
  kind: Kind,
): Promise<'current' | 'behind' | 'away'> {
  const written = await primary.value<string>(sql`select pg_current_wal_insert_lsn()::text`)
  const giveUpAt = Date.now() + CATCH_UP_MS[kind]
  try {
    for (;;) {
      const replayed = await standby.value<boolean>(sql`
        select coalesce(pg_last_wal_replay_lsn() >= ${written}::pg_lsn, false)`)
      if (replayed) return 'current'
      if (Date.now() > giveUpAt) return 'behind'
      await sleep(PAUSE_MS[kind])
    }
  } catch (error) {
    if (isUnavailable(error)) return 'away'
    throw error
  }
}
