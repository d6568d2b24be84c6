import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, type Answer, PASSWORD, testApp } from '../harness/app.ts'
import { createTestDatabase, testServer } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'

/** The service reaches its database through this socket, so that a test can cut the line or let it go silent. */
async function openLine() {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-line-'))
  const { host, port } = testServer().connection
  const name = `.s.PGSQL.${port}`
  const ends = new Set<Socket>()
  let silent = false
  const server = createServer((near) => {
    const far = createConnection(join(host, name))
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('data', (data) => silent || other.write(data))
      end.on('error', () => {}).on('close', () => ends.delete(end) && other.destroy())
    }
  })
  const open = () => new Promise<void>((done) => server.listen(join(dir, name), done))
  const cut = async () => {
    const closed = new Promise((done) => server.close(done))
    for (const end of ends) end.destroy()
    await closed
  }
  await open()
  return {
    dir,
    cut,
    mend: open,
    setSilent: (value: boolean) => {
      silent = value
    },
    async remove() {
      if (server.listening) await cut()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const line = await openLine()
const database = await createTestDatabase()
const limits = { waitMs: 1_000, statementTimeoutMs: 1_000, max: 4 }
const pool = createPool({ connection: { ...database.connection, host: line.dir }, ...limits })
const t = await testApp({ database: { ...database, pool } })
after(async () => {
  await t.close()
  await pool.end()
  await line.remove()
  await database.drop()
})

const admin = await t.administrador()
const groupNames = () => database.pool.rows(sql`select id, nome from grupos order by id`)

function assertUnavailable({ status, headers, body, text }: Answer) {
  assert.equal(status, 503)
  assert.equal(body.error.code, 'UNAVAILABLE')
  assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
  assertTellsNothing(headers, text)
}

function assertTellsNothing(headers: Answer['headers'], text: string) {
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.doesNotMatch(text, /\.ts|node_modules|\bat \b|select|relation|ECONN|socket|stack|postgres/i)
}

/** Holds a table against everyone else while `work` runs. */
async function withTableLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    await client.query(`begin; lock table ${table}`)
    return await work()
  } finally {
    await client.end()
  }
}

describe('An error that nobody foresaw', () => {
  const faultsSince = (start: number) =>
    t.logs
      .slice(start)
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level >= 50)

  it('is 500, shows nothing of itself, and leaves one log line with its stack', async () => {
    await database.pool.run(sql`alter table grupos rename to grupos_escondidos`)
    const start = t.logs.length
    const answer = await t.as(admin).get('/grupos', { headers: { 'x-request-id': 'falha-1' } })
    await database.pool.run(sql`alter table grupos_escondidos rename to grupos`)

    assert.equal(answer.status, 500)
    assert.deepEqual(Object.keys(answer.body.error), ['code', 'message', 'request_id', 'timestamp'])
    assert.equal(answer.body.error.code, 'INTERNAL_ERROR')
    assert.equal(answer.body.error.message, 'Erro interno')
    assertTellsNothing(answer.headers, answer.text)
    const faults = faultsSince(start)
    assert.equal(faults.length, 1)
    assert.equal(faults[0].request_id, 'falha-1')
    assert.equal(faults[0].route, '/api/v1/grupos')
    assert.equal(faults[0].err.code, '42P01')
    assert.match(faults[0].err.stack, /at .*src\//)
    assert.equal((await t.as(admin).get('/grupos')).status, 200, 'and the next request is well')
  })

  it('also in our own code, where the message goes to the log only', async (context) => {
    const secret = 'o segredo da falha'
    context.mock.method(t.app.passwords, 'turn', () => Promise.reject(new TypeError(secret)))
    const start = t.logs.length
    const answer = await t.anonymous.post('/usuarios/login', { email: ADMIN_EMAIL, password: PASSWORD })
    assert.equal(answer.status, 500)
    assert.equal(answer.body.error.code, 'INTERNAL_ERROR')
    assert.ok(!answer.text.includes(secret))
    const [fault, ...more] = faultsSince(start)
    assert.equal(fault.err.message, secret)
    assert.equal(fault.err.type, 'TypeError')
    assert.match(fault.err.stack, /faults\.test\.ts/)
    assert.deepEqual(more, [])
  })

  for (const thrown of [undefined, null, 'text', 42, {}])
    it(`also when what is thrown is no error: ${JSON.stringify(thrown)}`, async (context) => {
      context.mock.method(t.app.passwords, 'turn', () => Promise.reject(thrown))
      const start = t.logs.length
      const answer = await t.anonymous.post('/usuarios/login', { email: ADMIN_EMAIL, password: PASSWORD })
      assert.equal(answer.status, 500)
      assert.equal(answer.body.error.code, 'INTERNAL_ERROR')
      assert.equal(faultsSince(start).length, 1)
    })

  it("does not quote the row in the log when it is the database's", async () => {
    await database.pool.run(sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'the row holds %', new.nome using errcode = 'XX000'; end $$`)
    await database.pool.run(
      sql`create trigger refuse before insert on grupos for each row execute function refuse()`,
    )
    const before = await groupNames()
    const start = t.logs.length
    const answer = await t.as(admin).post('/grupos', { nome: 'nome-de-pessoa' })
    await database.pool.run(sql`drop function refuse cascade`)
    assert.equal(answer.status, 500)
    assert.equal(faultsSince(start)[0].err.code, 'XX000')
    assert.ok(!t.logs.slice(start).join('').includes('nome-de-pessoa'))
    assert.deepEqual(await groupNames(), before)
  })
})

describe('A database that is away', () => {
  it('is 503 with Retry-After on every route that needs it, and the service comes back by itself', async () => {
    assert.equal((await t.as(admin).get('/grupos')).status, 200)
    const before = await groupNames()
    await line.cut()
    try {
      assertUnavailable(await t.as(admin).get('/grupos'))
      assertUnavailable(await t.as(admin).post('/grupos', { nome: 'perdido' }))
      assertUnavailable(await t.anonymous.post('/usuarios/login', { email: ADMIN_EMAIL, password: PASSWORD }))
      assert.equal((await t.anonymous.get('/health')).status, 200)
      const health = await t.anonymous.get('/health/detailed')
      assert.equal(health.status, 503)
      assert.equal(health.body.checks.database.status, 'error')
      assert.ok(Number(health.headers['retry-after']) > 0)
      assertTellsNothing(health.headers, health.text)
    } finally {
      await line.mend()
    }
    assert.equal((await t.as(admin).get('/grupos')).status, 200)
    assert.equal((await t.anonymous.get('/health/detailed')).status, 200)
    assert.deepEqual(await groupNames(), before)
  })

  it('is 503 also for a change that was under way, which then did not happen', async () => {
    const before = await groupNames()
    const answer = await withTableLocked('grupos', async () => {
      const change = t.as(admin).post('/grupos', { nome: 'a-meio-caminho' })
      await sleep(100)
      await line.cut()
      return change
    })
    await line.mend()
    assertUnavailable(answer)
    assert.deepEqual(await groupNames(), before)
    assert.equal((await t.as(admin).get('/grupos')).status, 200)
  })

  it('is 503 when it does not answer at all, within the time limit', async () => {
    line.setSilent(true)
    const start = performance.now()
    const answer = await t.as(admin).get('/grupos')
    const waited = performance.now() - start
    line.setSilent(false)
    assertUnavailable(answer)
    assert.ok(waited < 30_000, `answered after ${waited} ms`)
    await line.cut()
    await line.mend()
    // A connection that died unnoticed may fail one request before the pool has dropped it.
    await until('it recovers by itself', async () => (await t.as(admin).get('/grupos')).status === 200)
  })

  it('loses no request when it ended our connections while they were idle', async () => {
    assert.equal((await t.as(admin).get('/grupos')).status, 200)
    await database.pool.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`)
    await sleep(50)
    for (let i = 0; i < 5; i++) assert.equal((await t.as(admin).get('/grupos')).status, 200)
  })
})

describe('A database that is too slow', () => {
  it('is 503 after the time limit of a statement, and nothing is changed', async () => {
    const before = await groupNames()
    const [read, write] = await withTableLocked('grupos', () =>
      Promise.all([t.as(admin).get('/grupos'), t.as(admin).post('/grupos', { nome: 'lento' })]),
    )
    assertUnavailable(read)
    assertUnavailable(write)
    assert.deepEqual(await groupNames(), before)
    assert.equal((await t.as(admin).get('/grupos')).status, 200)
  })

  it('is 503 when all connections stay taken, and the service recovers when they are free', async () => {
    const answers = await withTableLocked('grupos', () =>
      Promise.all(Array.from({ length: 12 }, () => t.as(admin).get('/grupos'))),
    )
    for (const answer of answers) assertUnavailable(answer)
    const later = await Promise.all(Array.from({ length: 12 }, () => t.as(admin).get('/grupos')))
    assert.deepEqual([...new Set(later.map(({ status }) => status))], [200])
  })
})
