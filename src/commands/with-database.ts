import type { Config } from '../config/config.ts'
import { refuseForeign } from '../db/migrate.ts'
import { openForCommand } from '../db/open.ts'
import { createPool, type Pool, type PoolOptions } from '../db/pool.ts'
import type { Logger } from '../system/logging.ts'
import { onSignal } from './signals.ts'

/** Opens an existing database beside a running service, or starts the embedded one for as long as the work takes. */
export async function withDatabase(
  config: Config,
  log: Logger,
  work: (db: Pool) => Promise<void>,
  limits: Pick<PoolOptions, 'statementTimeoutMs'> = {},
): Promise<void> {
  onSignal(() => process.exit(1))
  const database = await openForCommand(config, (message) => log.info(message))
  try {
    await refuseForeign(database.connection)
    const db = createPool({ connection: database.connection, ...limits })
    await work(db).finally(() => db.end())
  } finally {
    await database.close()
  }
}
