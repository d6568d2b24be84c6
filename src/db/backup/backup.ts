import { stat } from 'node:fs/promises'
import type pg from 'pg'
import { StartupError } from '../../config/config.ts'
import { type Contents, type End, endOfRows, type Head, headOf, lineOf, writeArchive } from './archive.ts'
import { inTransaction, listTables, lockTables, readSequences, rowsOf } from './tables.ts'

/**
 * Logical backup: one repeatable-read transaction reads every table as of one snapshot, while others go on writing. Written
 * here because the embedded PostgreSQL comes without `pg_dump`.
 */
export async function backup(connection: pg.ClientConfig, file: string): Promise<Contents> {
  if (await exists(file)) throw new StartupError(`${file} exists: give the backup another name`)
  return inTransaction(connection, 'read only', async (client) => {
    const head = headOf(await readMigracoes(client), new Date())
    const end: End = { tables: {}, sequences: {} }
    await writeArchive(file, partsOf(client, head, end))
    return { head, end }
  })
}

/** For the metrics. Not before the file is whole; a database of before this table has no place for it. */
export async function noteBackup(connection: pg.ClientConfig, bytes: number): Promise<void> {
  await inTransaction(connection, 'read write', async (client) => {
    const { rows } = await client.query(`select to_regclass('ultima_copia') is not null as there`)
    if (!rows[0]?.there) return
    await client.query(
      `insert into ultima_copia (concluida_em, bytes) values (now(), $1)
       on conflict (unico) do update set concluida_em = excluded.concluida_em, bytes = excluded.bytes`,
      [bytes],
    )
  })
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Fills `end` on the way. */
async function* partsOf(client: pg.Client, head: Head, end: End): AsyncGenerator<Buffer> {
  yield lineOf(head)
  const tables = await listTables(client)
  await lockTables(client, tables)
  for (const table of tables) {
    yield lineOf({ table: table.name, columns: table.columns })
    end.tables[table.name] = yield* rowsOf(client, table)
    yield endOfRows()
  }
  // Sequences are not transactional: read last, they are beyond every row of the snapshot.
  end.sequences = await readSequences(client)
  yield lineOf(end)
}

async function readMigracoes(client: pg.Client): Promise<Head['migracoes']> {
  const { rows: found } = await client.query(`select to_regclass('migracoes') is not null as there`)
  if (!found[0]?.there) throw new StartupError('There is nothing to back up: the database is empty')
  const { rows } = await client.query('select nome, checksum from migracoes order by nome')
  return rows.map(({ nome, checksum }) => [nome, checksum])
}
