import type { Database, Db } from './db.ts'
import { isUnavailable } from './pg-errors.ts'
import { sql } from './sql.ts'

/**
 * A transaction in the place of the database, so that what use-cases change commits with something around them. Their own
 * transactions become savepoints: one that fails leaves nothing behind, and a use-case that catches its error can go on.
 */
export function nested(tx: Db): Database {
  const transaction: Database['transaction'] = async (work) => {
    await tx.run(sql`savepoint nested`)
    try {
      const result = await work(tx)
      await tx.run(sql`release savepoint nested`)
      return result
    } catch (error) {
      // As for the transaction around it: on a connection that does not answer this would be a second wait.
      if (!isUnavailable(error)) await tx.run(sql`rollback to savepoint nested`)
      throw error
    }
  }
  return {
    ...tx,
    transaction,
    together: (work, item) => transaction(async (tx) => (await work(tx, [item]))[0] as never),
    shared: (query) => tx.rows(query),
  }
}
