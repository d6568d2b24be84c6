import type { Database, Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import { insertBulkChange } from './mudados.sql.ts'
import {
  addPending,
  type CounterQueue,
  countPending,
  type Discrepancy,
  listDiscrepancies,
  lockCounters,
  QUEUES,
  recountAll,
  sweepPending,
  tryLockCounters,
} from './rollup.sql.ts'

export {
  findMudancas,
  type LugarMudado,
  listCounted,
  listMarks,
  type MarcaDeMudanca,
  type Mudancas,
  removeMarks,
  takeBulkChanges,
} from './mudados.sql.ts'

/**
 * Maintenance of the counters. Triggers on `casos` append every change to two queues, in the transaction of the change; a fold
 * moves queued rows into `casos_contagens`, one folder at a time under an advisory lock:
 *
 *   casos ──trigger──► casos_contagens_pendentes_gerais ─┐
 *                 └──► casos_contagens_pendentes ────────┴─fold─► casos_contagens
 *
 * Readers add counters and queues in one statement (`counters.sql.ts`): exact at every moment, slower while a queue is long.
 */

/** Rows of a fold in the background: its transaction ends well within the statement timeout. */
const BATCH = 20_000
/** A bulk change folds its whole queue at once, since more rows then fall into the same counter. */
const UNBOUNDED = 2_000_000_000

/**
 * Folds the rows that are queued now, general numbers first, since lists and totals read them; later rows are left to the next
 * call, or a steady stream of writes would keep this one from ending. False where another process held the lock.
 */
export async function foldContagens(db: Database): Promise<boolean> {
  let complete = true
  for (const queue of QUEUES)
    for (let left = await countPending(db, queue, UNBOUNDED); left > 0; left -= BATCH)
      if (!(await foldBatch(db, queue))) {
        complete = false
        break
      }
  return complete
}

/** Upper bound of the measured queue length: counting further costs time and says nothing more. */
const MEASURED_AT_MOST = 100_000

export function measureContagens(db: Db): Promise<{ queue: CounterQueue; waiting: number }[]> {
  const measure = async (queue: CounterQueue) => ({
    queue,
    waiting: await countPending(db, queue, MEASURED_AT_MOST),
  })
  return Promise.all(QUEUES.map(measure))
}

/** False where another process holds the lock. */
async function foldBatch(db: Database, queue: CounterQueue): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    if (!(await tryLockCounters(tx))) return false
    await addPending(tx, queue, BATCH)
    return true
  })
  if (done) await sweepPending(db, queue)
  return done
}

/**
 * Folds the general queue at the end of a bulk change, in its transaction: totals and pages read no longer queue than before.
 * Details are nearly as many as the cases, and are left to `foldContagens`. Alerts follow such a change at once.
 */
export async function foldInBulk(tx: Db): Promise<void> {
  await lockCounters(tx)
  await addPending(tx, 'gerais', UNBOUNDED)
  await insertBulkChange(tx)
}

const EVERY_MS = 1_000

/** Folds once a second, never twice at once; reports the moment up to which the counters are complete. Returns the stop function. */
export function startFolding(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  onError: (error: unknown) => void,
  onComplete: (until: Date) => void,
): () => Promise<void> {
  let folding: Promise<void> | null = null
  const fold = async () => {
    const begun = clock.now()
    if (await foldContagens(db)) onComplete(begun)
  }
  const timer = setInterval(() => {
    folding ??= fold()
      .catch(onError)
      .finally(() => {
        folding = null
      })
  }, EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await folding
  }
}

/** First discrepancies between counters and cases; none when the counters are right. */
export function verifyContagens(db: Db, atMost = 20): Promise<Discrepancy[]> {
  return listDiscrepancies(db, atMost)
}

export async function rebuildContagens(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await lockCounters(tx)
    await recountAll(tx)
  })
  for (const queue of QUEUES) await sweepPending(db, queue)
}
