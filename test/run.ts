import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onSignal } from '../src/commands/signals.ts'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { createPool } from '../src/db/pool.ts'
import { seed } from '../src/domain/seed.ts'
import { createPasswords } from '../src/domain/sessoes/passwords.ts'
import { ADMIN_EMAIL, CHEAP_HASHING, PASSWORD } from './harness/app.ts'
import type { TestServer } from './harness/database.ts'
import { compareLedger } from './harness/ledger-check.ts'

/** `npm test` runs everything; `npm test -- file …` only these files, without the check of declared statuses. */
const root = fileURLToPath(new URL('..', import.meta.url))
const files = process.argv.slice(2)
const dir = await mkdtemp(join(tmpdir(), 'vigia-test-'))
// As root, PostgreSQL runs as another user, who must be able to pass through.
await chmod(dir, 0o711)
const ledgerFile = join(dir, 'ledger.txt')
let exitCode = 1
// Interrupted, it takes its database with it.
onSignal(() => process.exit(1))

const postgres = await startEmbedded({
  dataDir: dir,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  report: () => {},
})
try {
  const server = await prepareTemplate()
  const patterns = files.length > 0 ? files : ['test/**/*.test.ts']
  const runner = spawn(
    process.execPath,
    ['--test', '--test-concurrency=3', '--test-timeout=180000', ...patterns],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        VIGIA_TEST_SERVER: JSON.stringify(server),
        VIGIA_TEST_LEDGER: ledgerFile,
        // Every file is a process that reads the same modules; node keeps them compiled there.
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/vigia-test'),
      },
    },
  )
  const [code] = await once(runner, 'exit')
  exitCode = code ?? 1
  if (exitCode === 0 && files.length === 0) exitCode = reportLedger(await readFile(ledgerFile, 'utf8'))
} finally {
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}
process.exit(exitCode)

async function prepareTemplate(): Promise<TestServer> {
  const template = postgres.connection.database
  const connection = { ...postgres.connection, ssl: false }
  await migrate(connection, await readMigrations())
  const db = createPool({ connection })
  const clock = { now: () => new Date() }
  const passwordPolicy = { refuseCommon: false }
  await seed(
    { db, passwords: createPasswords({ cost: CHEAP_HASHING }), passwordPolicy, clock },
    { email: ADMIN_EMAIL, password: PASSWORD },
  )
  await db.end()
  const { host, port, user } = postgres.connection
  return { connection: { host, port, user }, template }
}

function reportLedger(ledger: string): number {
  const findings = compareLedger(new Set(ledger.split('\n').filter(Boolean)))
  for (const finding of findings) console.error(`ledger: ${finding}`)
  if (findings.length === 0) console.log('ledger: every declared status was seen, and no other')
  return findings.length === 0 ? 0 : 1
}
