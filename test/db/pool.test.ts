import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { AppError } from '../../src/errors/catalogue.ts'
import { createTestDatabase, testServer } from '../harness/database.ts'
import { databaseProxy } from '../process/database-proxy.ts'

const database = await createTestDatabase({ template: 'template0' })
const failures: Error[] = []
const pools: Pool[] = []
after(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.drop()
})

function pool(options: Partial<Parameters<typeof createPool>[0]> = {}): Pool {
  const made = createPool({
    connection: database.connection,
    onConnectionError: (error) => failures.push(error),
    ...options,
  })
  pools.push(made)
  return made
}

const one = pool({ max: 1 })
const pidOf = async (db: Pick<Pool, 'first'>) =>
  ((await db.first<{ pid: number }>(sql`select pg_backend_pid() as pid`)) as { pid: number }).pid
const names = () => database.pool.rows(sql`select nome from coisas order by nome`)
const isUnavailable = (error: unknown) => error instanceof AppError && error.is('UNAVAILABLE')

beforeEach(async () => {
  failures.length = 0
  await database.pool.run(sql`drop table if exists coisas`)
  await database.pool.run(sql`
    create table coisas (nome text constraint coisas__nome__unique unique,
                         idade int constraint coisas__idade__range check (idade >= 0))`)
})

describe('values', () => {
  it('gives dates as text and counts as numbers', async () => {
    const row = await one.first(sql`
      select date '2026-02-28' as dia, count(*) as total, 1.5::numeric as taxa, ${['a', 'b']}::text[] as lista,
             timestamptz '2026-02-28 12:00Z' as instante`)
    const instante = new Date('2026-02-28T12:00:00Z')
    assert.deepEqual(
      { ...(row as object) },
      { dia: '2026-02-28', total: 1, taxa: 1.5, lista: ['a', 'b'], instante },
    )
  })

  it('never takes a value for SQL', async () => {
    const nome = "'); drop table coisas; --"
    assert.equal(await one.run(sql`insert into coisas (nome) values (${nome})`), 1)
    assert.deepEqual(await names(), [{ nome }])
  })
})

describe('a connection', () => {
  it('compiles no statement, and shares none that is short, however expensive the server takes it for', async () => {
    const settings = await one.first(sql`
      select current_setting('jit') as jit, current_setting('parallel_setup_cost') as setup`)
    assert.deepEqual(settings, { jit: 'off', setup: '200000' })
  })
})

describe('transactions', () => {
  it('whose connection falls silent are given up once, not once more for their rollback', async () => {
    const proxy = await databaseProxy({ after })
    const connection = { ...database.connection, host: '127.0.0.1', port: proxy.port }
    const far = pool({ connection, max: 2, statementTimeoutMs: 100 })
    // Both connections are there before the silence.
    await Promise.all([far.rows(sql`select pg_sleep(0.05)`), far.rows(sql`select pg_sleep(0.05)`)])
    const order: string[] = []
    const begun = Promise.withResolvers<void>()
    const transaction = far
      .transaction(async (tx) => {
        proxy.stall()
        begun.resolve()
        await tx.run(sql`insert into coisas (nome) values ('a')`)
      })
      .catch((error) => order.push(isUnavailable(error) ? 'transaction' : String(error)))
    await begun.promise
    await sleep(1_000)
    const later = far
      .rows(sql`select 1`)
      .catch((error) => order.push(isUnavailable(error) ? 'later' : String(error)))
    await Promise.all([transaction, later])
    await proxy.back()
    assert.deepEqual(order, ['transaction', 'later'])
    assert.deepEqual(await names(), [])
  })

  it('keep everything when the work returns, nothing when it throws', async () => {
    const insert = (nome: string) => sql`insert into coisas (nome) values (${nome})`
    const result = await one.transaction(async (tx) => (await tx.run(insert('fica'))) + 41)
    assert.equal(result, 42)
    const refusal = new AppError('NOT_FOUND')
    const refused = one.transaction(async (tx) => {
      await tx.run(insert('vai'))
      throw refusal
    })
    await assert.rejects(refused, refusal)
    assert.deepEqual(await names(), [{ nome: 'fica' }])
  })

  it('do not pass for committed when a failed statement was caught inside', async () => {
    const work = one.transaction(async (tx) => {
      await tx.run(sql`insert into coisas (nome) values ('perdida')`)
      await tx.run(sql`insert into coisas (nome) values ('perdida')`).catch(() => {})
      return 'done'
    })
    await assert.rejects(work, /the transaction was rolled back/)
    assert.deepEqual(await names(), [])
    assert.equal(await one.run(sql`select 1`), 1)
  })

  it('a refusal keeps the connection; anything else throws it away', async () => {
    const first = await pidOf(one)
    await assert.rejects(
      one.transaction(async () => {
        throw new AppError('NOT_FOUND')
      }),
    )
    assert.equal(await pidOf(one), first)
    await assert.rejects(
      one.transaction(async () => {
        throw new TypeError('a fault of ours')
      }),
      TypeError,
    )
    assert.notEqual(await pidOf(one), first)
  })
})

describe('violations name their field', () => {
  const cases = [
    { statement: sql`insert into coisas (nome) values ('a'), ('a')`, path: ['nome'], code: 'DUPLICATE' },
    { statement: sql`insert into coisas (idade) values (-1)`, path: ['idade'], code: 'INVALID_VALUE' },
    { statement: sql`select ${'x'}::int`, path: [], code: 'INVALID_VALUE' },
  ]
  for (const { statement, path, code } of cases)
    it(`${statement.text.slice(0, 40)}… is ${code}`, async () => {
      await assert.rejects(one.run(statement), (error) => {
        assert.ok(error instanceof AppError && error.is('VALIDATION_ERROR'))
        const [problem] = error.extras.problems
        assert.deepEqual([problem?.path, problem?.code], [path, code])
        return true
      })
    })

  it('a fault in our SQL is a fault, not a refusal', async () => {
    await assert.rejects(one.run(sql`select nada`), { code: '42703' })
  })
})

describe('a database that is not there', () => {
  it('is unavailable, whatever the reason, and the reason is reported', async () => {
    const { connection } = testServer()
    for (const [wrong, code] of [
      [{ host: '/nonexistent' }, 'ENOENT'],
      [{ host: '127.0.0.1', port: 1 }, 'ECONNREFUSED'],
      [{ database: 'nao_existe' }, '3D000'],
      [{ user: 'ninguem' }, '28000'],
    ] as const) {
      const away = pool({ connection: { ...database.connection, ...connection, ...wrong } })
      await assert.rejects(away.run(sql`select 1`), isUnavailable)
      assert.equal((failures.pop() as { code?: string }).code, code)
    }
  })

  it('a connection lost while idle is reported and replaced', async () => {
    const pid = await pidOf(one)
    await database.pool.run(sql`select pg_terminate_backend(${pid}, 2000)`)
    while (failures.length === 0) await new Promise(setImmediate)
    assert.equal((failures[0] as { code?: string }).code, '57P01')
    assert.notEqual(await pidOf(one), pid)
  })

  it('a connection lost during a statement fails that statement only', async () => {
    const pid = await pidOf(one)
    const slow = assert.rejects(one.run(sql`select pg_sleep(30)`), isUnavailable)
    await database.pool.run(sql`select pg_terminate_backend(${pid}, 2000)`)
    await slow
    assert.notEqual(await pidOf(one), pid)
  })

  it('a connection lost between the statements of a transaction fails it, and the process lives', async () => {
    let pid = 0
    const work = one.transaction(async (tx) => {
      pid = await pidOf(tx)
      await tx.run(sql`insert into coisas (nome) values ('perdida')`)
      await database.pool.run(sql`select pg_terminate_backend(${pid}, 2000)`)
      await tx.run(sql`insert into coisas (nome) values ('tarde')`)
    })
    await assert.rejects(work, isUnavailable)
    assert.deepEqual(await names(), [])
    assert.notEqual(await pidOf(one), pid)
  })
})

describe('limits', () => {
  it('are set by a statement: with the start of a connection a pooler would refuse them', async () => {
    const limited = pool({ statementTimeoutMs: 7_000, idleInTransactionMs: 9_000 })
    const settings = await limited.rows(sql`
      select name, setting, source from pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name`)
    assert.deepEqual(settings, [
      { name: 'idle_in_transaction_session_timeout', setting: '9000', source: 'session' },
      { name: 'statement_timeout', setting: '7000', source: 'session' },
    ])
  })

  it('a connection that falls silent during a copy is given up', async () => {
    const proxy = await databaseProxy({ after })
    const connection = { ...database.connection, host: '127.0.0.1', port: proxy.port }
    const far = pool({ connection, max: 1, statementTimeoutMs: 100 })
    await far.rows(sql`select 1`)
    async function* lines() {
      yield 'longe\n'
      proxy.stall()
      yield 'mais longe\n'
    }
    await assert.rejects(far.copy(sql`copy coisas (nome) from stdin`, lines()), isUnavailable)
    await proxy.back()
    assert.deepEqual(await names(), [])
  })

  it('a statement that takes too long is ended on the server, and the request may try again', async () => {
    const impatient = pool({ statementTimeoutMs: 100 })
    await assert.rejects(impatient.run(sql`select pg_sleep(30)`), isUnavailable)
    assert.equal(await impatient.run(sql`select 1`), 1)
  })

  it('who waits too long for a connection, or comes when too many wait, is told to come back', async () => {
    const narrow = pool({ max: 1, waitMs: 200, maxWaiting: 1 })
    const busy = narrow.run(sql`select pg_sleep(0.6)`)
    let gaveUp = false
    const waiting = assert.rejects(narrow.run(sql`select 1`), isUnavailable).then(() => {
      gaveUp = true
    })
    assert.deepEqual(narrow.usage(), { total: 1, idle: 0, waiting: 1 })
    await assert.rejects(narrow.run(sql`select 1`), isUnavailable)
    assert.ok(!gaveUp, 'at once: before the one who waits gives up')
    await waiting
    await busy
    assert.equal(await narrow.run(sql`select 1`), 1)
  })
})
