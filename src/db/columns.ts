import { identifier, join, type Sql, sql } from './sql.ts'

/** Values of some columns, one list each, all in the order of the rows. */
export type Columns<Row> = { [K in keyof Row]: Row[K][] }

/**
 * Aggregates columns into one JSON list each, for thousands of short rows: the driver decodes one value a column. A list for each row
 * (`json_build_array`) takes PostgreSQL more than twice as long, since it looks up the type of every value.
 */
export const listsOf = (names: readonly string[]): Sql =>
  join(
    names.map((name) => sql`coalesce(json_agg(${identifier(name)}), '[]') as ${identifier(name)}`),
    ', ',
  )
