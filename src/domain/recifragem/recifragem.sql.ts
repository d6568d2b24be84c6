import type { Db } from '../../db/db.ts'
import { identifier, join, type Sql, sql } from '../../db/sql.ts'
import type { Cifrado } from './cifrados.ts'

const columnsOf = (names: string[], of = '') =>
  join(
    names.map((name) => (of === '' ? identifier(name) : sql`${identifier(of)}.${identifier(name)}`)),
    ', ',
  )

const isOlder = (column: string, prefix: Buffer): Sql =>
  sql`${identifier(column)} is not null and substring(${identifier(column)} from 1 for ${prefix.length}) <> ${prefix}`

/** Values that are not under the key of this prefix, and all of them. */
export function countCifrados(
  db: Db,
  { table, column }: Cifrado,
  prefix: Buffer,
): Promise<{ older: number; total: number }> {
  return db.one(sql`
    select count(*) filter (where ${isOlder(column, prefix)})::float8 as older,
           count(${identifier(column)})::float8 as total
      from ${identifier(table)}`)
}

export type CifradoRow = Record<string, unknown> & { sealed: Buffer }

/** The next values of before, in the order of the primary key. */
export function listOlder(
  db: Db,
  { table, column, key, needs = [] }: Cifrado,
  prefix: Buffer,
  after: unknown[] | null,
  atMost: number,
): Promise<CifradoRow[]> {
  const names = Object.keys(key)
  const beyond = after === null ? sql`true` : sql`(${columnsOf(names)}) > (${typed(key, after)})`
  return db.rows(sql`
    select ${columnsOf([...names, ...needs])}, ${identifier(column)} as sealed from ${identifier(table)}
     where ${beyond} and ${isOlder(column, prefix)} order by ${columnsOf(names)} limit ${atMost}`)
}

const typed = (key: Cifrado['key'], values: unknown[]) =>
  join(
    Object.values(key).map((type, i) => sql`${values[i]}::${identifier(type)}`),
    ', ',
  )

/** Replaces values that are still what was read: a change meanwhile was encrypted under the new key already. */
export function replaceCifrados(
  db: Db,
  { table, column, key }: Cifrado,
  rows: { row: CifradoRow; sealed: Buffer }[],
): Promise<number> {
  const names = Object.keys(key)
  const lists = Object.entries(key).map(
    ([name, type]) => sql`${rows.map(({ row }) => row[name])}::${identifier(type)}[]`,
  )
  const before = sql`${rows.map(({ row }) => row.sealed)}::bytea[]`
  const after = sql`${rows.map(({ sealed }) => sealed)}::bytea[]`
  const same = join(
    names.map((name) => sql`t.${identifier(name)} = n.${identifier(name)}`),
    ' and ',
  )
  return db.run(sql`
    update ${identifier(table)} t set ${identifier(column)} = n.depois
      from unnest(${join([...lists, before, after], ', ')}) n (${columnsOf(names)}, antes, depois)
     where ${same} and t.${identifier(column)} = n.antes`)
}

/** Until the end of the transaction: cases do not become other persons by it. */
export function announceRecifragem(tx: Db): Promise<number> {
  return tx.run(sql`set local vigia.recifrando = 'on'`)
}
