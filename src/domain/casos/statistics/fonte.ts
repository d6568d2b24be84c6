import type { Database } from '../../../db/db.ts'
import type { App } from '../../app.ts'

/**
 * Numbers that counters have are read from the primary, in milliseconds. Others are counted over the cases, on a standby where one
 * is up to date (`DATABASE_READ_URL`).
 */
export function readNumbers<T>(
  { db, reader }: Pick<App, 'db' | 'reader'>,
  { counted }: { counted: boolean },
  work: (from: Database) => Promise<T>,
): Promise<T> {
  return counted ? work(db) : reader.read(db, work)
}
