import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { createTally, type Tally } from './archive.ts'

/** The tables of the service, read from PostgreSQL's catalogs, without those that imports stage in (`preparo`). */
export interface Table {
  name: string
  /** Without generated columns. */
  columns: string[]
}

/** Session settings that make the text of a row deterministic, and sequential scans ordered. */
const SAME_TEXT = `
  set local client_encoding = 'UTF8'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local synchronize_seqscans = off;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

/** A connection of its own, with one transaction around the work. */
export async function inTransaction<T>(
  connection: pg.ClientConfig,
  mode: 'read only' | 'read write',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, application_name: 'vigia backup', statement_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`begin isolation level repeatable read ${mode}`)
    await client.query(SAME_TEXT)
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    // Closing the connection rolls back.
    await client.end()
  }
}

/** Topological order of foreign keys: each table after those it refers to. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { needs: string[] }>(`
    select c.relname::text as name,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns,
           array(select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
                  where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid order by 1) as needs
      from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e')
     order by c.relname`)
  const byName = new Map(rows.map((row) => [row.name, row]))
  const ordered = new Map<string, Table>()
  const add = (name: string, path: string[]) => {
    if (path.includes(name))
      throw new Error(`${[...path, name].join(' → ')}: these tables refer to each other`)
    const row = byName.get(name)
    if (row === undefined || ordered.has(name)) return
    for (const needed of row.needs) add(needed, [...path, name])
    ordered.set(name, { name, columns: row.columns })
  }
  for (const { name } of rows) add(name, [])
  return [...ordered.values()]
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const columnsOf = ({ columns }: Table) => columns.map(quoted).join(', ')
const namesOf = (tables: Table[]) => tables.map(({ name }) => quoted(name)).join(', ')

/** Locks the tables against changes of their definition. */
export async function lockTables(client: pg.Client, tables: Table[]): Promise<void> {
  await client.query(`lock table ${namesOf(tables)} in access share mode`)
}

/** Yields the rows of a table and returns their digest and number. */
export async function* rowsOf(client: pg.Client, table: Table): AsyncGenerator<Buffer, Tally> {
  const source = client.query(copyTo(`copy ${quoted(table.name)} (${columnsOf(table)}) to stdout`))
  const tally = createTally()
  yield* tally.pass(source)
  // The row count follows the last row, ahead of the answer to the next statement.
  await client.query('select')
  return { rows: source.rowCount, sha256: tally.sha256() }
}

export async function readTally(client: pg.Client, table: Table): Promise<Tally> {
  const rows = rowsOf(client, table)
  for (;;) {
    const step = await rows.next()
    if (step.done) return step.value
  }
}

/** Number of rows. */
export async function loadRows(
  client: pg.Client,
  table: Table,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const target = client.query(copyFrom(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin`))
  await pipeline(rows, target)
  return target.rowCount
}

/** Disables triggers: counters and events are among the restored rows. Foreign keys are still checked. */
export async function withoutTriggers(client: pg.Client, tables: Table[], work: () => Promise<void>) {
  const all = (verb: string) =>
    tables.map(({ name }) => `alter table ${quoted(name)} ${verb} trigger user`).join(';')
  await client.query(all('disable'))
  await work()
  await client.query(all('enable'))
}

/** Deletes the rows that migrations insert. */
export async function emptyTables(client: pg.Client, tables: Table[]): Promise<void> {
  await client.query(`truncate ${namesOf(tables)}`)
}

export async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(`
    select sequencename::text as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

export async function setSequences(client: pg.Client, sequences: Record<string, string>): Promise<void> {
  for (const [name, last] of Object.entries(sequences))
    await client.query('select setval(quote_ident($1)::regclass, $2)', [name, last])
}

export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(`
    select not exists (
      select from pg_class c
       where c.relnamespace = current_schema()::regnamespace
         and not exists (select from pg_depend e where e.objid = c.oid and e.deptype = 'e')
    ) as empty`)
  return rows[0]?.empty === true
}
