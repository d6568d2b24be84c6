import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { poolsByTransaction } from '../../src/db/pooler.ts'
import { sql } from '../../src/db/sql.ts'
import { PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { databaseProxy } from './database-proxy.ts'
import { dataFolder, freePort } from './service.ts'

const missing =
  spawnSync('pgbouncer', ['--version']).error === undefined ? false : 'LEFT OUT: there is no pgbouncer here'
if (missing) console.log(missing)
const NOBODY = 65_534

/** Pooler before the test's server, as Debian packages it, with no setting beyond its own; resolves to its URL. */
async function pgbouncer(mode: 'session' | 'transaction', database: string): Promise<string> {
  const proxy = await databaseProxy({ after })
  const server = new URL(proxy.url(database))
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'vigia-pgbouncer-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
${database} = host=127.0.0.1 port=${server.port} user=${server.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  )
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child: ChildProcess = spawn('pgbouncer', ['--quiet', file], { stdio: 'ignore', ...user })
  const ended = once(child, 'close')
  after(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true })
  })
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  await eventually(async () => assert.ok(await answers()))
  return `postgres://${server.username}@127.0.0.1:${port}/${database}?sslmode=disable`
}

describe('behind pgbouncer', { skip: missing }, async () => {
  const database = await createTestDatabase({ template: 'template0' })
  const folders = await Promise.all([0, 1].map(() => dataFolder({ after })))
  after(() => database.drop())

  it('by session the service migrates, serves and runs jobs', async () => {
    const DATABASE_URL = await pgbouncer('session', database.name)
    const [folder] = folders
    const service = await folder?.start({ DATABASE_URL, ADMIN_PASSWORD: PASSWORD })
    assert.ok(service)
    const token = await service.login('admin@vigia.local', PASSWORD)
    const asked = await service.request('/api/v1/agravos/casos/exportar', { token, body: { formato: 'csv' } })
    assert.equal(asked.status, 202, asked.text)
    const path = `/api/v1/jobs/${asked.body.job_id}`
    await eventually(async () =>
      assert.equal((await service.request(path, { token })).body.status, 'completed'),
    )
    assert.equal((await service.stop()).code, 0)
  })

  it('by transaction it refuses to start, and changes nothing', async () => {
    const empty = await createTestDatabase({ template: 'template0' })
    after(() => empty.drop())
    const DATABASE_URL = await pgbouncer('transaction', empty.name)
    const refused = await folders[1]?.run([], { DATABASE_URL, ADMIN_PASSWORD: PASSWORD })
    assert.deepEqual(
      [refused?.code, refused?.stderr],
      [
        1,
        'DATABASE_URL cannot be used: it leads to a pooler in transaction mode, which loses locks, settings and notices of a session: give it session mode (pool_mode = session)\n',
      ],
    )
    const tables = await empty.pool.rows(
      sql`select from pg_class where relnamespace = 'public'::regnamespace`,
    )
    assert.equal(tables.length, 0)
  })
})

describe('a server itself', () => {
  it('is never taken for a pooler in transaction mode', async () => {
    const database = await createTestDatabase({ template: 'template0' })
    after(() => database.drop())
    assert.equal(await poolsByTransaction({ connectionString: databaseUrl(database.name) }), false)
  })
})
