import type { Filter, FilterTest, ListQuery } from '../filter.ts'
import { join, type Sql, sql } from './sql.ts'

/** SQL of a feature's filter fields and text search. */
export interface Columns {
  fields: Record<string, Sql>
  /** A field as `plain` makes it, for `like` and for the order; a column that holds it need not be computed for every row. */
  plain?: Record<string, Sql>
  /** Fields that are never null: they are ordered as their index is, which can then be read in both directions. */
  required?: ReadonlySet<string>
  /** Fields of an open family (`ListRules.family`). */
  family?: { prefix: string; column(name: string): Sql }
  /** Fields that are no column of the row but a condition on others. */
  conditions?: Record<string, (test: FilterTest) => Sql>
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
      return (
        columns.conditions?.[filter.field]?.(filter) ??
        test(columnOf(filter.field, columns), filter, columns.plain?.[filter.field])
      )
  }
}

/**
 * `order by` the asked field, then id: the same page twice is the same rows. Texts are in the order of people, without regard to
 * case and accents.
 */
export function orderBy(
  { sort, order, thenBy = [] }: Pick<ListQuery, 'sort' | 'order' | 'thenBy'>,
  columns: Columns,
  id: Sql,
): Sql {
  const keys = [{ field: sort, order }, ...thenBy].map((key) => {
    const column = columns.plain?.[key.field] ?? columnOf(key.field, columns)
    const direction = key.order === 'asc' ? sql`asc` : sql`desc`
    return columns.required?.has(key.field)
      ? sql`${column} ${direction}`
      : sql`${column} ${direction} nulls last`
  })
  return sql`order by ${join(keys, ', ')}, ${order === 'asc' ? sql`${id} asc` : sql`${id} desc`}`
}

export function limit({ page, size }: Pick<ListQuery, 'page' | 'size'>): Sql {
  return slice(size, (page - 1) * size)
}

export function slice(size: number, offset: number): Sql {
  return sql`limit ${size} offset ${offset}`
}

function columnOf(field: string, columns: Columns): Sql {
  const { fields, family } = columns
  const ofFamily = family !== undefined && field.startsWith(family.prefix)
  const column = Object.hasOwn(fields, field)
    ? fields[field]
    : ofFamily
      ? family.column(field.slice(family.prefix.length))
      : undefined
  if (column === undefined) throw new Error(`no column for the filter field ${field}`)
  return column
}

export function test(column: Sql, filter: FilterTest, plain = sql`plain(${column})`): Sql {
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
      return sql`${plain} like plain(${containing(String(filter.value))})`
  }
}

/** `%` and `_` in what the user typed mean themselves, also the wide forms that `plain` turns into them. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_∖﹨＼﹪％＿]/g, '\\$&')}%`
}
