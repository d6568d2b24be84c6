import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildService } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { createPool, type PoolOptions } from '../src/db/pool.ts'
import { seed } from '../src/domain/seed.ts'
import { createLogger } from '../src/logging.ts'

export const PASSWORD = 'Senha#Boa1'

/** The service on a database of its own, without a listener: asked through `server.inject`. */
export async function benchService(adminEmail: string, poolOptions: Partial<PoolOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-bench-'))
  // As root, PostgreSQL runs as another user, who must be able to pass through.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbedded({ dataDir, report: () => {} })
  const connection = { ...postgres.connection, ssl: false }
  await migrate(connection, await readMigrations())
  const db = createPool({ connection, ...poolOptions })
  const { server, app } = await buildService({
    config: readConfig({ DATA_DIR: dataDir }),
    dataKey: randomBytes(32),
    masterKey: 'a master key',
    mailTransport: { send: async () => {} },
    db,
    clock: { now: () => new Date() },
    log: createLogger('silent'),
    listener: {},
  })
  await seed(app, { email: adminEmail, password: PASSWORD })
  return {
    db,
    server,
    app,
    async close() {
      await server.close()
      await db.end()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
