import { rm } from 'node:fs/promises'
import { startEmbedded } from '../../src/db/embedded/embedded.ts'
import { migrate, readMigrations } from '../../src/db/migrate.ts'
import { createPool } from '../../src/db/pool.ts'
import { seed } from '../../src/domain/seed.ts'
import { createPasswords } from '../../src/domain/sessoes/passwords.ts'
import { ADMIN_EMAIL, CHEAP_HASHING, PASSWORD } from './app.ts'
import type { TestServer } from './database.ts'
import { databaseFolder } from './folder.ts'

/** One PostgreSQL with one migrated and seeded template, in a folder that goes away with it. */
export async function startTestServer(): Promise<AsyncDisposable & { dir: string; address: TestServer }> {
  await using opened = new AsyncDisposableStack()
  const dir = await databaseFolder('vigia-test-')
  opened.defer(() => rm(dir, { recursive: true, force: true }))
  const postgres = await startEmbedded({
    dataDir: dir,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      // The log may be in memory, too.
      max_wal_size: '256MB',
      // Nothing is replicated, and no database lives long enough to be cleaned.
      wal_level: 'minimal',
      max_wal_senders: '0',
      autovacuum: 'off',
      // Dropping a database looks through all of them.
      shared_buffers: '128MB',
    },
    report: () => {},
  })
  opened.defer(() => postgres.stop())
  const { host, port, user, database: template } = postgres.connection
  await prepare({ ...postgres.connection, ssl: false })
  const closing = opened.move()
  return {
    dir,
    address: { connection: { host, port, user }, template },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function prepare(connection: Parameters<typeof migrate>[0]): Promise<void> {
  await migrate(connection, await readMigrations())
  const db = createPool({ connection })
  const clock = { now: () => new Date() }
  const passwordPolicy = { refuseCommon: false }
  await seed(
    { db, passwords: createPasswords({ cost: CHEAP_HASHING }), passwordPolicy, clock },
    { email: ADMIN_EMAIL, password: PASSWORD },
  )
  await db.end()
}
