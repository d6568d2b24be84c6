import { statfs } from 'node:fs/promises'
import { readMigrations } from '../../db/migrate.ts'
import type { App } from '../app.ts'
import { isQueueAbandoned } from '../jobs/queue.ts'
import { areEntregasLate } from '../webhooks/entregas.ts'
import { listMigracoes, ping } from './health.sql.ts'

export interface Check {
  status: 'ok' | 'error'
  latency_ms?: number
}

export type Checks = Record<'database' | 'migrations' | 'jobs' | 'webhooks' | 'disk', Check>

const CHECK_TIMEOUT_MS = 2_000
const MINIMUM_FREE_BYTES = 100 * 1024 * 1024

/** Checks every part the service depends on, concurrently, with a timeout of two seconds each. */
export async function checkHealth({
  db,
  clock,
  dataDir,
}: Pick<App, 'db' | 'clock' | 'dataDir'>): Promise<Checks> {
  const [database, migrations, jobs, webhooks, disk] = await Promise.all([
    timed(() => ping(db)),
    timed(async () => {
      const applied = new Set((await listMigracoes(db)).map(({ nome }) => nome))
      if ((await readMigrations()).some(({ nome }) => !applied.has(nome)))
        throw new Error('migrations are missing')
    }),
    timed(async () => {
      if (await isQueueAbandoned(db)) throw new Error('jobs wait and nobody takes them')
    }),
    timed(async () => {
      if (await areEntregasLate({ db, clock })) throw new Error('events wait and nobody delivers them')
    }),
    timed(async () => {
      const { bavail, bsize } = await statfs(dataDir)
      if (bavail * bsize < MINIMUM_FREE_BYTES) throw new Error('the disk is nearly full')
    }),
  ])
  return { database, migrations, jobs, webhooks, disk }
}

async function timed(check: () => Promise<unknown>): Promise<Check> {
  const start = performance.now()
  const latency = () => Math.round((performance.now() - start) * 10) / 10
  const timeout = new AbortController()
  const tooLate = new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Error('time-out')), CHECK_TIMEOUT_MS)
    timeout.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  try {
    await Promise.race([check(), tooLate])
    return { status: 'ok', latency_ms: latency() }
  } catch {
    return { status: 'error', latency_ms: latency() }
  } finally {
    timeout.abort()
  }
}
