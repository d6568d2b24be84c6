import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildService } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { serverProcesses } from '../src/db/embedded/process.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { createPool, type PoolOptions } from '../src/db/pool.ts'
import { seed } from '../src/domain/seed.ts'
import { createLogger } from '../src/system/logging.ts'

export const PASSWORD = 'Senha#Boa1'

/** Service on a database of its own, without a listener: requests are injected (`server.inject`). */
export async function benchService(adminEmail: string, poolOptions: Partial<PoolOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-bench-'))
  // Traversable: as root, PostgreSQL runs as another user.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbedded({ dataDir, report: () => {} })
  const connection = { ...postgres.connection, ssl: false }
  await migrate(connection, await readMigrations())
  const db = createPool({ connection, ...poolOptions })
  const limitesDb = createPool({ connection, max: 1 })
  const dataKey = randomBytes(32)
  /** One more instance on the same database. */
  const build = (env: NodeJS.ProcessEnv = {}) =>
    buildService({
      config: readConfig({ DATA_DIR: dataDir, RATE_LIMITS: 'off', ...env }),
      dataKey,
      masterKey: 'a master key',
      mailTransport: { send: async () => {} },
      db,
      limitesDb,
      clock: { now: () => new Date() },
      log: createLogger('silent'),
      listener: {},
    })
  const { server, app } = await build()
  await seed(app, { email: adminEmail, password: PASSWORD })
  return {
    db,
    server,
    app,
    build,
    databaseProcesses: () => serverProcesses(join(dataDir, 'postgres')),
    async close() {
      await server.close()
      await db.end()
      await limitesDb.end()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
