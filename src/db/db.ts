import type { Sql } from './sql.ts'

/** What a statement needs: a pool or a transaction; it cannot know which. */
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

/** Where a use-case begins its own transaction. */
export interface Database extends Db {
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * Does `work` once for all who ask for it at the same moment: many small reads or changes cost little more than one.
   * `work` is the same function each time, a single statement, and answers for each item in its place.
   */
  together<T, R>(work: Together<T, R>, item: T): Promise<R>
  /**
   * Rows of a short statement all whose values are unseen; those that differ in nothing else and are asked at the same moment
   * are one.
   */
  shared<T>(query: Sql): Promise<T[]>
}

export type Together<T, R> = (db: Db, items: T[]) => Promise<R[]>

/** What PostgreSQL tells its clients (`notify`). */
export interface Notices {
  /** From now on every connection listens before its first statement, and so hears of what was committed after it. */
  subscribe(channel: string, onNotice: (payload: string) => void): void
}
