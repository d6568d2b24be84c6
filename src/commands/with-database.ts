import type { Config } from '../config.ts'
import { openForCommand } from '../db/open.ts'
import { createPool, type Pool, type PoolOptions } from '../db/pool.ts'
import type { Logger } from '../logging.ts'

/** Opens the database beside a running service, or starts the embedded one for as long as the work takes. */
export async function withDatabase(
  config: Config,
  log: Logger,
  work: (db: Pool) => Promise<void>,
  limits: Pick<PoolOptions, 'statementTimeoutMs'> = {},
): Promise<void> {
  const database = await openForCommand(config, (message) => log.info(message))
  try {
    const db = createPool({ connection: database.connection, ...limits })
    await work(db).finally(() => db.end())
  } finally {
    await database.close()
  }
}
