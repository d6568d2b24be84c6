import type { Sql } from './sql.ts'

/** Access to a pool or a transaction; a statement cannot know which. */
export interface Db {
  rows<T>(query: Sql): Promise<T[]>
  first<T>(query: Sql): Promise<T | null>
  /** The row of a statement that always has one (`returning`, aggregates); throws where there is none. */
  one<T>(query: Sql): Promise<T>
  /** The first column of that row. */
  value<T>(query: Sql): Promise<T>
  /** Number of rows changed. */
  run(query: Sql): Promise<number>
  /** `copy … from stdin` with lines in its text format. Number of rows. */
  copy(query: Sql, lines: Iterable<string | Buffer> | AsyncIterable<string | Buffer>): Promise<number>
}

/** Access of a use-case, which begins its own transaction. */
export interface Database extends Db {
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Reads by several statements of one snapshot, and writes nothing. */
  snapshot<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * Batches concurrent calls with the same `work` into one statement (`batch.ts`). `work` must be the same function each
   * time, run a single statement and return one result for each item, in order.
   */
  batch<T, R>(work: BatchWork<T, R>, item: T): Promise<R>
}

export type BatchWork<T, R> = (db: Db, items: T[]) => Promise<R[]>

/** PostgreSQL's `notify` messages. */
export interface Notices {
  /** Every connection then listens before its first statement: a notice is read no later than the statement's own answer. */
  subscribe(channel: string, onNotice: (payload: string) => void): void
}
