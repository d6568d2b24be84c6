import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

/** Dead rows that a reader skips without a noticeable delay. */
const MANY = 5_000
/** Size from which the table is truncated; truncating locks out its writers for a moment. */
const LONG_BYTES = 4 * 1024 * 1024

/**
 * Vacuums a queue table after many rows went through it: every reader has to skip the dead ones, and autovacuum comes once
 * a minute. With `index_cleanup`: otherwise vacuum skips the index for the last hundredth of dead rows, and the table stays
 * as long as after the largest import. Not inside a transaction.
 */
export async function sweepQueue(db: Db, table: Sql): Promise<void> {
  const { many, long } = await db.one<{ many: boolean; long: boolean }>(sql`
    select pg_stat_get_dead_tuples('${table}'::regclass) > ${MANY} as many,
      pg_relation_size('${table}') > ${LONG_BYTES} as long`)
  if (!many && !long) return
  await db.run(sql`vacuum (index_cleanup on, skip_locked, truncate ${long ? sql`on` : sql`off`}) ${table}`)
}
