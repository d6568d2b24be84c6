import { stat } from 'node:fs/promises'
import { type Config, StartupError } from '../config.ts'
import { totalRows } from '../db/backup/archive.ts'
import { backup } from '../db/backup/backup.ts'
import { checkArchive, restore } from '../db/backup/restore.ts'
import { readMigrations } from '../db/migrate.ts'
import { type OpenDatabase, openForCommand } from '../db/open.ts'
import type { Logger } from '../logging.ts'
import { mendable } from './mendable.ts'
import { onSignal } from './signals.ts'

const KEYS =
  'It holds no keys: without its DATA_KEY (keys/data.key) what is encrypted in it stays unreadable.'

/** `npm run backup -- file`: beside a running service too. */
export async function runBackup(config: Config, log: Logger): Promise<void> {
  const file = fileArgument('backup')
  await withOpen(config, log, async ({ connection }) => {
    const { end } = await mendable(() => backup(connection, file))
    const { size } = await stat(file)
    console.log(
      `Backed up ${totalRows(end)} rows of ${Object.keys(end.tables).length} tables: ${file}, ${size} bytes`,
    )
    console.log(`${KEYS} Keep that key, and keep it apart.`)
  })
}

/** `npm run restore -- file`: into an empty database. A file that is not whole is refused before anything is opened. */
export async function runRestore(config: Config, log: Logger): Promise<void> {
  const file = fileArgument('restore')
  const migrations = await readMigrations()
  const contents = await checkArchive(file, migrations)
  await withOpen(config, log, async ({ connection }) => {
    await mendable(() => restore(connection, file, contents, migrations))
    console.log(`Restored ${totalRows(contents.end)} rows, as of ${contents.head.criado_em}`)
    console.log(`${KEYS} Give the service that key before it starts.`)
  })
}

function fileArgument(command: string): string {
  const [file, ...others] = process.argv.slice(3)
  if (file === undefined || others.length > 0) throw new StartupError(`npm run ${command} -- file`)
  return file
}

async function withOpen(config: Config, log: Logger, work: (database: OpenDatabase) => Promise<void>) {
  onSignal(() => process.exit(1))
  const database = await openForCommand(config, (message) => log.info(message))
  await work(database).finally(() => database.close())
}
