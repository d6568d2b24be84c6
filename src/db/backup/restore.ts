import type pg from 'pg'
import { StartupError } from '../../config/config.ts'
import { createSchema, type Migration, refuseDivergence } from '../migrate.ts'
import { type Contents, type End, readArchive, type TableHead } from './archive.ts'
import {
  emptyTables,
  inTransaction,
  isEmpty,
  listTables,
  loadRows,
  readTally,
  setSequences,
  type Table,
  withoutTriggers,
} from './tables.ts'

/** Reads the whole file and touches nothing else: a backup that was cut or changed is refused here. */
export async function checkArchive(file: string, migrations: Migration[]): Promise<Contents> {
  const contents = await readArchive(file, async (_table, rows) => {
    for await (const _piece of rows);
  })
  refuseDivergence(migrations, new Map(contents.head.migracoes), 'backup')
  return contents
}

/**
 * Restores into an empty database, in one transaction: the schema by the migrations that had run when the backup was made, then
 * every row. What was stored is read again and compared before the commit. Newer migrations run at the next start.
 */
export async function restore(
  connection: pg.ClientConfig,
  file: string,
  { head, end }: Contents,
  migrations: Migration[],
): Promise<void> {
  await inTransaction(connection, 'read write', async (client) => {
    if (!(await isEmpty(client)))
      throw new StartupError('A backup is restored into an empty database only; this one holds something')
    await createSchema(client, migrations.slice(0, head.migracoes.length))
    const tables = await listTables(client)
    await withoutTriggers(client, tables, async () => {
      await emptyTables(client, tables)
      await readArchive(file, (table, rows) => load(client, find(tables, table), rows, end))
    })
    await setSequences(client, end.sequences)
    await refuseLoss(client, tables, end)
    await client.query('analyze')
  })
}

function find(tables: Table[], { table, columns }: TableHead): Table {
  const found = tables.find(({ name }) => name === table)
  if (found?.columns.join() !== columns.join())
    throw new StartupError(`The backup holds a table that its migrations do not make: ${table}`)
  return found as Table
}

async function load(client: pg.Client, table: Table, rows: AsyncIterable<Buffer>, { tables }: End) {
  const loaded = await loadRows(client, table, rows)
  if (loaded !== tables[table.name]?.rows)
    throw new StartupError(`Not every row of ${table.name} was restored`)
}

async function refuseLoss(client: pg.Client, tables: Table[], end: End): Promise<void> {
  for (const table of tables) {
    const { sha256 } = await readTally(client, table)
    if (sha256 !== end.tables[table.name]?.sha256)
      throw new StartupError(`What was restored of ${table.name} is not what was backed up`)
  }
}
