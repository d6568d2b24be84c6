import type { ListQuery, Page } from '../filter.ts'
import type { Db } from './db.ts'
import { type Sql, sql } from './sql.ts'
import { type Columns, limit, orderBy, where } from './where.ts'

/** A list as SQL: its columns, its tables, the fields a request may filter and sort by, and the key that breaks ties. */
export interface Listing {
  select: Sql
  from: Sql
  columns: Columns
  id: Sql
  /** Condition on every row, whatever the request filters by. */
  only?: Sql
}

/** Reads one page and counts all matching rows, in two statements side by side. */
export async function pageOf<T>(db: Db, listing: Listing, list: ListQuery): Promise<Page<T>> {
  const { select, from, columns, id, only = sql`true` } = listing
  const matching = sql`from ${from} where ${only} and ${where(list.filter, columns)}`
  const [items, total] = await Promise.all([
    db.rows<T>(sql`select ${select} ${matching} ${orderBy(list, columns, id)} ${limit(list)}`),
    db.value<number>(sql`select count(*) ${matching}`),
  ])
  return { items, total, page: list.page, size: list.size }
}
