import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'

/** Rows that have gone: as many as a reader passes over without noticing. */
const MANY = 5_000
/** Of a table that is cut to size: whoever writes to it waits meanwhile. */
const LONG_BYTES = 4 * 1024 * 1024

/**
 * A queue that many rows went through: those that have gone are in the way of every reader until they are swept out, and
 * PostgreSQL itself comes for them once a minute. Not inside a transaction. With its index: PostgreSQL would pass over the last
 * hundredth of dead rows, and the table would stay as long as it was after the largest import.
 */
export async function sweepQueue(db: Db, table: Sql): Promise<void> {
  const { many, long } = (await db.first<{ many: boolean; long: boolean }>(sql`
    select pg_stat_get_dead_tuples('${table}'::regclass) > ${MANY} as many,
      pg_relation_size('${table}') > ${LONG_BYTES} as long`)) as { many: boolean; long: boolean }
  if (!many && !long) return
  await db.run(sql`vacuum (index_cleanup on, skip_locked, truncate ${long ? sql`on` : sql`off`}) ${table}`)
}
