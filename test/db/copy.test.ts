import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { copyLine } from '../../src/db/copy-line.ts'
import { createPool } from '../../src/db/pool.ts'
import { identifier, sql } from '../../src/db/sql.ts'
import { AppError } from '../../src/errors/catalogue.ts'
import { createTestDatabase } from '../harness/database.ts'

const database = await createTestDatabase({ template: 'template0' })
const one = createPool({ connection: database.connection, max: 1 })
after(async () => {
  await one.end()
  await database.drop()
})
const isUnavailable = (error: unknown) => error instanceof AppError && error.is('UNAVAILABLE')
const INTO = sql`copy coisas from stdin`
const rows = () =>
  database.pool.rows<{ id: number; nome: string | null }>(sql`select id, nome from coisas order by id`)
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => copyLine([from + i, `nome ${from + i}`]))
const pid = async () => (await one.first<{ pid: number }>(sql`select pg_backend_pid() as pid`))?.pid as number

beforeEach(async () => {
  await database.pool.run(sql`drop table if exists coisas`)
  await database.pool.run(
    sql`create table coisas (id int primary key, nome text, ligado boolean, bytes bytea)`,
  )
})

describe('copy', () => {
  it('brings every character, null, booleans and bytes over as they are', async () => {
    const nomes = [
      '',
      'simples',
      'uma\ttabulação',
      'duas\nlinhas\r\n',
      'barra \\ e \\n e \\N',
      '\\.',
      '\\N',
      'sino \b \f \v',
      'aspas "\' e ç ã 😀 \u2028',
      null,
    ]
    const bytes = Buffer.from([0, 92, 10, 9, 255])
    await database.pool.run(sql`truncate coisas`)
    const content = nomes.map((nome, i) => copyLine([i, nome, i % 2 === 0, i === 3 ? bytes : null]))
    assert.equal(await one.copy(INTO, content), nomes.length)
    const found = await database.pool.rows<{ nome: string | null; ligado: boolean; bytes: Buffer | null }>(
      sql`select nome, ligado, bytes from coisas order by id`,
    )
    assert.deepEqual(
      found.map(({ nome }) => nome),
      nomes,
    )
    assert.deepEqual([found[0]?.ligado, found[1]?.ligado], [true, false])
    assert.deepEqual(found[3]?.bytes, bytes)
  })

  it('takes nothing, and much that comes in pieces', async () => {
    const INTO_TWO = sql`copy coisas (id, nome) from stdin`
    assert.equal(await one.copy(INTO_TWO, []), 0)
    async function* later() {
      for (let i = 0; i < 20; i++) {
        yield lines(i * 1000 + 1, (i + 1) * 1000).join('')
        await new Promise(setImmediate)
      }
    }
    assert.equal(await one.copy(INTO_TWO, later()), 20_000)
    assert.equal((await rows()).length, 20_000)
  })

  const INTO_TWO = sql`copy coisas (id, nome) from stdin`

  it('an error inside the data stores nothing of it, and the connection goes on', async () => {
    for (const wrong of ['x\ty\n', '1\n', '7\tum\n7\toutro\n'])
      await assert.rejects(one.copy(INTO_TWO, [...lines(1, 5), wrong]), (error) => {
        assert.ok(error instanceof AppError && error.is('VALIDATION_ERROR'))
        return true
      })
    assert.deepEqual(await rows(), [])
    assert.equal(await one.copy(INTO_TWO, lines(1, 2)), 2)
  })

  it('an error inside the data rolls back the transaction it stands in', async () => {
    const work = one.transaction(async (tx) => {
      await tx.run(sql`insert into coisas (id, nome) values (100, 'antes')`)
      await tx.copy(INTO_TWO, [...lines(1, 5), 'x\ty\n'])
    })
    await assert.rejects(work, AppError)
    assert.deepEqual(await rows(), [])
    assert.equal(await one.copy(INTO_TWO, lines(1, 1)), 1)
  })

  it('a source that fails half-way stores nothing, with its own error, alone and in a transaction', async () => {
    const fault = new Error('the source broke')
    function* broken() {
      yield* lines(1, 3000)
      throw fault
    }
    await assert.rejects(one.copy(INTO_TWO, broken()), fault)
    assert.deepEqual(await rows(), [])
    const work = one.transaction(async (tx) => {
      await tx.run(sql`insert into coisas (id, nome) values (100, 'antes')`)
      await tx.copy(INTO_TWO, broken())
    })
    await assert.rejects(work, fault)
    assert.deepEqual(await rows(), [])
    assert.equal(await one.copy(INTO_TWO, lines(1, 1)), 1)
  })

  it('a connection that is lost half-way is a database that is away, and the next statement has a new one', async () => {
    const first = await pid()
    async function* cut() {
      yield* lines(1, 100)
      await database.pool.run(sql`select pg_terminate_backend(${first}, 2000)`)
      yield* lines(101, 20_000)
    }
    await assert.rejects(one.copy(INTO_TWO, cut()), isUnavailable)
    assert.deepEqual(await rows(), [])
    assert.notEqual(await pid(), first)
  })
})

describe('identifier', () => {
  it('takes the names that are made here', () => {
    for (const name of ['casos', '_x', 'preparo.casos_12', 'a'.repeat(63)])
      assert.equal(identifier(name).text, name)
  })

  it('refuses all that could be more than a name', () => {
    for (const name of [
      '',
      '1a',
      'Casos',
      'casos; drop table casos',
      'casos--',
      'casos "x"',
      '"casos"',
      "casos'",
      'a.b.c',
      '.a',
      'a.',
      'a b',
      'a\nb',
      'casos\n',
      'ação',
      'a$1',
      'a'.repeat(64),
    ])
      assert.throws(() => identifier(name), /is no identifier/, JSON.stringify(name))
  })
})
