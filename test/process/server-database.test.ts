import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { isTrueWithin } from '../../src/db/embedded/process.ts'
import { readMigrations } from '../../src/db/migrate.ts'
import { type Sql, sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { administer, createTestDatabase, databaseUrl } from '../harness/database.ts'
import { HANG_MS, until } from '../harness/eventually.ts'
import { databaseProxy } from './database-proxy.ts'
import { dataFolder, type Service } from './service.ts'

const LOGADO = '/api/v1/usuarios/logado'
const GRUPOS = '/api/v1/grupos'
const newKey = () => randomBytes(32).toString('base64')

describe('several instances on one empty database', async () => {
  const database = await createTestDatabase({ template: 'template0' })
  const folders = await Promise.all([0, 1, 2].map(() => dataFolder({ after })))
  const other = await dataFolder({ after })
  after(() => database.drop())
  const DATABASE_URL = databaseUrl(database.name)
  const env = { DATABASE_URL, DATA_KEY: newKey(), ADMIN_PASSWORD: PASSWORD }
  const count = async (query: Sql) => (await database.pool.first<{ count: number }>(query))?.count
  let services: Service[]

  it('all come up, and one of them migrates and makes the administrator', async (t) => {
    services = await Promise.all(folders.map((folder) => folder.start(env)))
    t.diagnostic(`three at once: ${services.map(({ startedIn }) => startedIn).join(', ')} ms`)
    const announcing = services.filter(({ output }) => output.stdout.includes('Administrator:'))
    const migrating = services.filter(({ output }) => output.stdout.includes('migrations applied'))
    assert.equal(announcing.length, 1)
    assert.equal(migrating.length, 1)
    const applied = await database.pool.rows<{ nome: string }>(sql`select nome from migracoes order by nome`)
    assert.deepEqual(
      applied.map(({ nome }) => nome),
      (await readMigrations()).map(({ nome }) => nome),
    )
    assert.equal(await count(sql`select count(*) from usuarios`), 1)
    assert.equal(await count(sql`select count(*) from chaves_assinatura`), 1)
  })

  it('what one of them hands out or stores is good on the others, at once', async () => {
    const [first, second, third] = services as [Service, Service, Service]
    const token = await first.login('admin@vigia.local', PASSWORD)
    assert.equal((await second.request(LOGADO, { token })).status, 200)
    assert.equal((await third.request(GRUPOS, { token, body: { nome: 'compartilhado' } })).status, 201)
    assert.equal((await first.request(`${GRUPOS}?nome=compartilhado`, { token })).body.total, 1)
    await database.pool.run(sql`update sessoes set encerrada_em = now()`)
    for (const service of services) assert.equal((await service.request(LOGADO, { token })).status, 401)
  })

  it('one with another DATA_KEY, or with none, does not start and changes nothing', async () => {
    const refused: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL, DATA_KEY: newKey() }, /^DATA_KEY is not the key this database was encrypted under$/],
      [{ DATABASE_URL }, /^The key of this database is missing: set DATA_KEY, or put keys\/data\.key back/],
    ]
    for (const [wrong, says] of refused) {
      const { code, stdout, stderr } = await other.run([], wrong)
      assert.equal(code, 1)
      assert.match(stderr.trim(), says)
      assert.doesNotMatch(stdout, /ready/)
    }
    assert.equal(await count(sql`select count(*) from chaves_assinatura`), 1)
  })

  it('one whose migrations differ from those that ran does not start', async () => {
    await database.pool.run(sql`update migracoes set checksum = 'x' where nome like '0001%'`)
    const { code, stderr } = await other.run([], env)
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^\s*Migration 0001_\w+\.sql was changed after it had been applied; restore the file\s*$/,
    )
  })
})

describe('a database that goes away and comes back', async () => {
  const database = await createTestDatabase()
  const proxy = await databaseProxy({ after })
  const folder = await dataFolder({ after })
  after(() => database.drop())
  let service: Service
  let token: string

  async function untilBack(): Promise<void> {
    await until('it recovers', async () => (await service.request(LOGADO, { token })).status === 200)
    assert.equal((await service.request('/api/v1/health/detailed')).status, 200)
  }

  async function assertUnavailable(): Promise<void> {
    const [answer, health, detailed] = await Promise.all([
      service.request(LOGADO, { token }),
      service.request('/api/v1/health'),
      service.request('/api/v1/health/detailed'),
    ])
    assert.equal(answer.status, 503)
    assert.equal(answer.body.error.code, 'UNAVAILABLE')
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    assert.equal(health.status, 200)
    assert.equal(detailed.status, 503)
    assert.equal(detailed.body.checks.database.status, 'error')
    assert.equal(detailed.body.checks.disk.status, 'ok')
    assert.equal(service.process.exitCode, null)
  }

  it('starts', async () => {
    service = await folder.start({ DATABASE_URL: proxy.url(database.name), LOG_LEVEL: 'warn' })
    token = await service.login(ADMIN_EMAIL, PASSWORD)
  })

  it('cut in the middle of a request: that request and the next are 503, then all is as before', async () => {
    const lock = await lockGrupos()
    const inHand = service.request(GRUPOS, { token, body: { nome: 'em_curso' } })
    await lock.somebodyWaits()
    await proxy.away()
    await lock.release()
    assert.equal((await inHand).status, 503)
    await assertUnavailable()
    assert.match(service.output.stdout, /database connection failed/)
    await proxy.back()
    await untilBack()
  })

  it('not answering at all: 503 within seconds', async () => {
    await proxy.away('silent')
    const asked = performance.now()
    await assertUnavailable()
    assert.ok(performance.now() - asked < 30_000)
    await proxy.back()
    await untilBack()
  })

  it('closed by its administrator: 503 until it is opened', async () => {
    await administer(`alter database ${database.name} allow_connections false`)
    await administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`,
    )
    await assertUnavailable()
    await administer(`alter database ${database.name} allow_connections true`)
    await untilBack()
  })

  it('not there when the service starts: it waits, and a signal ends the waiting', async (t) => {
    await service.stop()
    await proxy.away()
    const waiting = folder.begin([], { DATABASE_URL: proxy.url(database.name) })
    const says = () => waiting.output.stdout.includes('waiting for the database server (ECONNREFUSED)')
    assert.ok(await isTrueWithin(HANG_MS, says))
    const asked = performance.now()
    waiting.process.kill('SIGTERM')
    assert.deepEqual(await waiting.ended, { code: 0, signal: null })
    t.diagnostic(`ended in ${Math.round(performance.now() - asked)} ms`)
  })

  /** Holds every statement on `grupos` back. */
  async function lockGrupos() {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = Promise.withResolvers<void>()
    const transaction = database.pool.transaction(async (tx) => {
      await tx.run(sql`lock table grupos`)
      held.resolve()
      await released
    })
    await held.promise
    return {
      somebodyWaits: () =>
        until('somebody waits for the table', () =>
          database.pool.run(sql`
            select from pg_locks where relation = 'grupos'::regclass and not granted
              and database = (select oid from pg_database where datname = current_database())`),
        ),
      async release() {
        release()
        await transaction
      },
    }
  }
})
