import type { Database, Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import {
  addPending,
  countPending,
  type Diferenca,
  FILAS,
  type Fila,
  listDiferencas,
  lockToSum,
  recountAll,
  sweepPending,
  tryLockToSum,
} from './rollup.sql.ts'

/**
 * The counters of cases. Whatever changes a case appends what changed, by triggers, in the same transaction:
 *
 *   casos ──trigger──► two queues, for general numbers and for details ──here, one at a time──► casos_contagens
 *
 * Readers add both up in one statement, so the numbers are exact at every moment, also when nobody adds up for a while.
 */

/** In one transaction; it must end well before a statement may take no longer. */
const BATCH = 20_000
/** A bulk change has time, and all at once puts more together. */
const EVERYTHING = 2_000_000_000

/**
 * Adds up all that waits, unless somebody else is at it: first what lists and totals read. What comes meanwhile is left for the
 * next time: while many cases are written, it would never end. Answers whether all that was there is added up.
 */
export async function foldContagens(db: Database): Promise<boolean> {
  let complete = true
  for (const fila of FILAS)
    for (let left = await countPending(db, fila, EVERYTHING); left > 0; left -= BATCH)
      if (!(await foldBatch(db, fila))) {
        complete = false
        break
      }
  return complete
}

/** Beyond this many, it does not matter how many more. */
const MEASURED_AT_MOST = 100_000

export function measureContagens(db: Db): Promise<{ fila: Fila; waiting: number }[]> {
  const measure = async (fila: Fila) => ({ fila, waiting: await countPending(db, fila, MEASURED_AT_MOST) })
  return Promise.all(FILAS.map(measure))
}

/** Whether it was ours to do. */
async function foldBatch(db: Database, fila: Fila): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    if (!(await tryLockToSum(tx))) return false
    await addPending(tx, fila, BATCH)
    return true
  })
  if (done) await sweepPending(db, fila)
  return done
}

/**
 * In the transaction of a bulk change, at its end: totals and pages find nothing more to add up than before. Details are
 * nearly as many as the cases, and are left to `foldContagens`.
 */
export async function foldInBulk(tx: Db): Promise<void> {
  await lockToSum(tx)
  await addPending(tx, 'gerais', EVERYTHING)
}

const EVERY_MS = 1_000

/** Once a second, never twice at once. Tells up to when everything is added up. Answers the way to stop. */
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

/** The first differences between the counters and the cases; none when all is well. */
export function verifyContagens(db: Db, atMost = 20): Promise<Diferenca[]> {
  return listDiferencas(db, atMost)
}

export async function rebuildContagens(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await lockToSum(tx)
    await recountAll(tx)
  })
  for (const fila of FILAS) await sweepPending(db, fila)
}
