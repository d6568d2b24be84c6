import type { Config } from '../config/config.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openOrCreate } from '../db/open.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand } from './command.ts'
import { onSignal } from './signals.ts'

export const runMigrate = defineCommand({
  usage: `npm run vigia -- migrate

Applies the migrations that are missing, without serving. Makes the database where there is none.`,
  run: applyMigrations,
})

async function applyMigrations(config: Config, log: Logger): Promise<void> {
  onSignal(() => process.exit(1))
  const database = await openOrCreate(config, (message) => log.info(message))
  try {
    const applied = await migrate(database.connection, await readMigrations())
    console.log(applied.length === 0 ? 'Nothing to migrate' : `Applied: ${applied.join(', ')}`)
  } finally {
    await database.close()
  }
}
