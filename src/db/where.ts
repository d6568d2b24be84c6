import type { Filter, ListQuery } from '../filter.ts'
import { join, type Sql, sql } from './sql.ts'

/** How a feature's filter fields and text search look in SQL. */
export interface Columns {
  fields: Record<string, Sql>
  search: (contains: string) => Sql
}

/** Filter tree → SQL condition. Names were checked by the parser; an unknown one here is our own mistake. */
export function where(filter: Filter, columns: Columns): Sql {
  switch (filter.kind) {
    case 'and':
      return filter.of.length === 0
        ? sql`true`
        : sql`(${join(
            filter.of.map((f) => where(f, columns)),
            ' and ',
          )})`
    case 'or':
      return filter.of.length === 0
        ? sql`false`
        : sql`(${join(
            filter.of.map((f) => where(f, columns)),
            ' or ',
          )})`
    case 'search':
      return columns.search(containing(filter.text))
    case 'test':
      return test(columnOf(filter.field, columns), filter)
  }
}

/** `order by` the asked field, then id: the same page twice is the same rows. */
export function orderBy(list: Pick<ListQuery, 'sort' | 'order'>, columns: Columns, id: Sql): Sql {
  const column = columnOf(list.sort, columns)
  return list.order === 'asc'
    ? sql`order by ${column} asc nulls last, ${id} asc`
    : sql`order by ${column} desc nulls last, ${id} desc`
}

export function limit({ page, size }: Pick<ListQuery, 'page' | 'size'>): Sql {
  return sql`limit ${size} offset ${(page - 1) * size}`
}

function columnOf(field: string, columns: Columns): Sql {
  const column = Object.hasOwn(columns.fields, field) ? columns.fields[field] : undefined
  if (column === undefined) throw new Error(`no column for the filter field ${field}`)
  return column
}

function test(column: Sql, filter: Extract<Filter, { kind: 'test' }>): Sql {
  switch (filter.op) {
    case 'eq':
      return sql`${column} = ${filter.value}`
    case 'ne':
      return sql`${column} is distinct from ${filter.value}`
    case 'gt':
      return sql`${column} > ${filter.value}`
    case 'gte':
      return sql`${column} >= ${filter.value}`
    case 'lt':
      return sql`${column} < ${filter.value}`
    case 'lte':
      return sql`${column} <= ${filter.value}`
    case 'in':
      return sql`${column} = any(${filter.value})`
    case 'like':
      return sql`plain(${column}) like plain(${containing(String(filter.value))})`
  }
}

/** `%` and `_` in what the user typed mean themselves, also the wide forms that `plain` turns into them. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_∖﹨＼﹪％＿]/g, '\\$&')}%`
}
