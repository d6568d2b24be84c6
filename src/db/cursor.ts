import type { Db } from './db.ts'
import { identifier, type Sql, sql } from './sql.ts'

/**
 * Reads a statement of any length within a transaction, a block at a time. The next block is asked for before the present one is
 * given away, so that the database works while its reader does; at most two blocks are in memory. They are short, for memory.
 */
export async function* readBlocks<T>(tx: Db, name: string, query: Sql): AsyncGenerator<T[]> {
  const cursor = identifier(name)
  await tx.run(sql`declare ${cursor} no scroll cursor for ${query}`)
  const fetch = () => {
    const rows = tx.rows<T>(sql`fetch 250 from ${cursor}`)
    // Handled when awaited below; the reader may have left before.
    rows.catch(() => {})
    return rows
  }
  for (let next = fetch(); ; ) {
    const rows = await next
    if (rows.length === 0) return
    next = fetch()
    yield rows
  }
}
