import type { Config } from '../config.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openForCommand } from '../db/open.ts'
import type { Logger } from '../logging.ts'
import { onSignal } from './signals.ts'

export async function runMigrate(config: Config, log: Logger): Promise<void> {
  onSignal(() => process.exit(1))
  const database = await openForCommand(config, (message) => log.info(message))
  try {
    const applied = await migrate(database.connection, await readMigrations())
    console.log(applied.length === 0 ? 'Nothing to migrate' : `Applied: ${applied.join(', ')}`)
  } finally {
    await database.close()
  }
}
