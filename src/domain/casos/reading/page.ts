import type { Db } from '../../../db/db.ts'
import type { ListQuery } from '../../../filter.ts'
import type { ListedCaso } from '../casos.sql.ts'
import { type Block, countCasos, findBlock, type Selection } from '../counters/counters.sql.ts'
import { coverageOf, isInMonths, isLimited, monthOf, type Scope } from '../counters/scope.ts'
import { type DayOrdered, listByDay, listCasos } from './page.sql.ts'

/**
 * A page of cases and their total, by one of two strategies:
 *
 * - counted and by day: ordered by the day of notification, in a scope that an index has in this order. The counters give the
 *   total and the day where a far page begins; the index gives the rows from there on.
 * - the rest: filter, order, limit and offset over the cases, and the total from the counters where they know it.
 */
export interface FoundPage {
  total: number
  items: ListedCaso[]
}

export async function findPage(
  db: Db,
  list: ListQuery,
  selection: Selection,
  withDados = true,
): Promise<FoundPage> {
  const total = await countCasos(db, selection)
  const atMost = Math.min(list.size, total - offsetOf(list))
  if (atMost <= 0) return { total, items: [] }
  const scope = selection.scope && dayOrderedOf(list, selection.scope)
  const items =
    scope === null
      ? await listCasos(db, list, selection.columns, atMost, withDados)
      : await findByDay(db, list, selection, scope, { atMost, withDados })
  return { total, items }
}

const offsetOf = ({ page, size }: ListQuery) => (page - 1) * size

/** Places whose ranges of an index are merged; for more, planning costs a connection over 100 ms and PostgreSQL chooses the way. */
const MOST_PLACES = 200

/** Orders whose key is the day of notification: weeks are in the order of their days. */
const BY_DAY: ReadonlySet<string> = new Set(['data_notificacao', 'semana_epidemiologica'])

function dayOrderedOf({ sort, thenBy = [], order }: ListQuery, scope: Scope): DayOrdered | null {
  const isByDay = BY_DAY.has(sort) && thenBy.length === 0
  if (!isByDay || (scope.lugares?.length ?? 1) > MOST_PLACES) return null
  return { ...scope, order }
}

/**
 * Up to this offset, skipping rows is faster than two look-ups in the counters: in indexes alone, or in the table, where disease
 * or classification are filtered.
 */
const NEAR = { indexed: 5_000, filtered: 500 }

async function findByDay(
  db: Db,
  list: ListQuery,
  selection: Selection,
  scope: DayOrdered,
  rows: { atMost: number; withDados: boolean },
): Promise<ListedCaso[]> {
  const offset = offsetOf(list)
  const isIndexed = scope.tipos === null && scope.classes === null && !isLimited(scope.sintomas)
  const near = isIndexed ? NEAR.indexed : NEAR.filtered
  if (offset <= near) return listByDay(db, scope, { ...rows, offset })
  const start = await findStart(db, list, selection, scope)
  if (start === null) return []
  const { from, to } = scope.period
  const period = list.order === 'asc' ? { from: start.start, to } : { from, to: start.start }
  return listByDay(db, { ...scope, period }, { ...rows, offset: start.offset })
}

/** The day where a page begins: first its month, or a day outside of whole months; then the day of that month. */
async function findStart(
  db: Db,
  list: ListQuery,
  selection: Selection,
  { period, sintomas, order }: DayOrdered,
): Promise<Block | null> {
  // Weeks of onset are not counted by month of notification.
  if (isLimited(sintomas)) return findBlock(db, selection, 'day', order, offsetOf(list))
  const block = await findBlock(db, selection, 'block', order, offsetOf(list))
  if (block === null || !isInMonths(block.start, coverageOf(period))) return block
  const month = monthOf(block.start)
  const ofMonth = { ...selection, scope: { ...(selection.scope as Scope), period: month } }
  const day = await findBlock(db, ofMonth, 'day', order, block.offset)
  // Null where cases went away between both statements: the page begins behind the rows that the month still has.
  return day ?? { ...block, start: order === 'asc' ? month.from : month.to }
}
