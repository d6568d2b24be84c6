import type { Database, Db } from './db.ts'
import { isUnavailable } from './pg-errors.ts'
import { sql } from './sql.ts'

/**
 * Savepoints in place of transactions: use-cases that begin their own commit together with the transaction around them.
 * One that fails leaves nothing behind, and a caller that catches its error can go on.
 */
export function nested(tx: Db): Database {
  const transaction: Database['transaction'] = async (work) => {
    await tx.run(sql`savepoint nested`)
    try {
      const result = await work(tx)
      await tx.run(sql`release savepoint nested`)
      return result
    } catch (error) {
      // On a connection that does not answer, this would time out a second time (as in `pool.ts`).
      if (!isUnavailable(error)) await tx.run(sql`rollback to savepoint nested`)
      throw error
    }
  }
  return {
    ...tx,
    transaction,
    // The snapshot is that of each statement: requests that change something read what they have changed.
    snapshot: transaction,
    batch: (work, item) => transaction(async (tx) => (await work(tx, [item]))[0] as never),
  }
}
