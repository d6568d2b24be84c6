import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Db } from './db.ts'
import { isUnavailable } from './pg-errors.ts'
import { sql } from './sql.ts'

/** Reads that take minutes, off the primary where there is a standby (`DATABASE_READ_URL`). */
export interface Reader {
  /** Snapshot that holds every write that was acknowledged before the call. `again`: a standby has failed this work before. */
  snapshot<T>(work: (tx: Db) => Promise<T>, options?: { again?: boolean }): Promise<T>
}

/** How long a standby may take to catch up before the primary is read instead. */
const CATCH_UP_MS = 1_000
const PAUSE_MS = 50

export function createReader(primary: Database, standby: Database | null): Reader {
  return {
    async snapshot(work, { again = false } = {}) {
      const isUsed = standby !== null && !again && (await hasCaughtUp(primary, standby))
      return (isUsed ? standby : primary).snapshot(work)
    },
  }
}

/** Waits until the standby has replayed what the primary has written by now; false where it does not, or is away. */
async function hasCaughtUp(primary: Database, standby: Database): Promise<boolean> {
  const written = await primary.value<string>(sql`select pg_current_wal_insert_lsn()::text`)
  const giveUpAt = Date.now() + CATCH_UP_MS
  try {
    for (;;) {
      const replayed = await standby.value<boolean>(sql`
        select coalesce(pg_last_wal_replay_lsn() >= ${written}::pg_lsn, false)`)
      if (replayed) return true
      if (Date.now() > giveUpAt) return false
      await sleep(PAUSE_MS)
    }
  } catch (error) {
    if (isUnavailable(error)) return false
    throw error
  }
}
