import { stat } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import { totalRows } from '../db/backup/archive.ts'
import { backup, noteBackup } from '../db/backup/backup.ts'
import { checkArchive, restore } from '../db/backup/restore.ts'
import { readMigrations } from '../db/migrate.ts'
import { type OpenDatabase, openForCommand, openOrCreate } from '../db/open.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand } from './command.ts'
import { mendable } from './mendable.ts'
import { onSignal } from './signals.ts'

const KEYS =
  'It holds no keys: without its DATA_KEY (keys/data.key) what is encrypted in it stays unreadable.'

export const runBackup = defineCommand({
  usage: `npm run vigia -- backup file

Writes everything in the database, as of one moment, into a new file, beside a running service or without it.`,
  positionals: { min: 1, max: 1 },
  run: (config, log, { positionals: [file] }) => backUp(config, log, file as string),
})

export const runRestore = defineCommand({
  usage: `npm run vigia -- restore file

Fills an empty data folder or database from a backup: all or nothing.`,
  positionals: { min: 1, max: 1 },
  run: (config, log, { positionals: [file] }) => restoreFrom(config, log, file as string),
})

async function backUp(config: Config, log: Logger, file: string): Promise<void> {
  await withOpen(openForCommand, config, log, async ({ connection }) => {
    const { end } = await mendable(() => backup(connection, file))
    const { size } = await stat(file)
    await mendable(() => noteBackup(connection, size))
    console.log(
      `Backed up ${totalRows(end)} rows of ${Object.keys(end.tables).length} tables: ${file}, ${size} bytes`,
    )
    console.log(`${KEYS} Keep that key, and keep it apart.`)
  })
}

/** A file that is not whole is refused before anything is opened. */
async function restoreFrom(config: Config, log: Logger, file: string): Promise<void> {
  const migrations = await readMigrations()
  const contents = await checkArchive(file, migrations)
  await withOpen(openOrCreate, config, log, async ({ connection }) => {
    await mendable(() => restore(connection, file, contents, migrations))
    console.log(`Restored ${totalRows(contents.end)} rows, as of ${contents.head.criado_em}`)
    console.log(`${KEYS} Give the service that key before it starts.`)
  })
}

async function withOpen(
  open: typeof openForCommand,
  config: Config,
  log: Logger,
  work: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  onSignal(() => process.exit(1))
  const database = await open(config, (message) => log.info(message))
  await work(database).finally(() => database.close())
}
