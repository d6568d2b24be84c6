import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { Line } from '../../src/db/line.ts'
import { nested } from '../../src/db/nested.ts'
import { type Sql, sql, unseen } from '../../src/db/sql.ts'
import { createShared } from '../../src/db/together.ts'
import { AppError } from '../../src/errors/catalogue.ts'
import { createTestDatabase } from '../harness/database.ts'

const { pool, drop } = await createTestDatabase()
after(drop)
await pool.run(sql`create table coisas (nome text constraint coisas__nome__unique unique, transacao xid8)`)

/** Numbers of items, in the order of the statements that wrote them. */
const turns: number[] = []
async function write(db: Db, nomes: string[]): Promise<string[]> {
  turns.push(nomes.length)
  await db.run(sql`insert into coisas select nome, pg_current_xact_id() from unnest(${nomes}::text[]) nome`)
  return nomes.map((nome) => nome.toUpperCase())
}
const written = async (prefix: string) =>
  (
    await pool.rows<{ nome: string }>(
      sql`select nome from coisas where nome like ${`${prefix}%`} order by nome`,
    )
  ).map(({ nome }) => nome)
const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(3, '0')}`)

describe('what waits at the same moment', () => {
  it('is written in few statements, and each is answered for itself', async () => {
    turns.length = 0
    const all = names('a', 100)
    const answers = await Promise.all(all.map((nome) => pool.together(write, nome)))
    assert.deepEqual(
      answers,
      all.map((nome) => nome.toUpperCase()),
    )
    assert.deepEqual(await written('a'), all)
    assert.deepEqual(turns, [64, 36])
  })

  it('is written although one of them is refused, and only that one is told', async () => {
    const all = [...names('b', 20), 'b007']
    const answers = await Promise.allSettled(all.map((nome) => pool.together(write, nome)))
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []))
    assert.equal(refused.length, 1)
    assert.ok(refused[0]?.is('VALIDATION_ERROR'))
    assert.deepEqual(await written('b'), names('b', 20))
  })

  it('is not tried one by one when the database is away', async () => {
    let tries = 0
    const away = async () => {
      tries++
      await new Promise(setImmediate)
      throw new AppError('UNAVAILABLE', { retryAfter: 1 })
    }
    const answers = await Promise.allSettled(names('c', 50).map((nome) => pool.together(away, nome)))
    assert.ok(answers.every((one) => one.status === 'rejected' && one.reason.is('UNAVAILABLE')))
    assert.equal(tries, 1)
  })

  it('goes on with those who come later', async () => {
    await assert.rejects(pool.together(write, 'b001'))
    assert.equal(await pool.together(write, 'd'), 'D')
  })

  it('waits while a turn is under way, and shares the next', async () => {
    const gates = Array.from({ length: 2 }, () => Promise.withResolvers<void>())
    const sizes: number[] = []
    const held = async (_db: Db, items: number[]) => {
      const gate = gates[sizes.push(items.length) - 1]
      await gate?.promise
      return items
    }
    const turn = () => new Promise(setImmediate)
    const asked: Promise<number>[] = []
    for (const wave of [1, 2, 3, 4]) {
      for (let i = 0; i < wave; i++) asked.push(pool.together(held, i))
      await turn()
      await turn()
    }
    assert.deepEqual(sizes, [1])
    gates[0]?.resolve()
    await turn()
    await turn()
    assert.deepEqual(sizes, [1, 9])
    for (const { resolve } of gates) resolve()
    assert.deepEqual(await Promise.all(asked), [0, 0, 1, 0, 1, 2, 0, 1, 2, 3])
  })

  it('stays apart for other work', async () => {
    const count = async (_db: Db, items: number[]) => items.map(() => items.length)
    const [, other] = await Promise.all([pool.together(write, 'e'), pool.together(count, 1)])
    assert.equal(other, 1)
  })

  it('is part of a transaction around it, and of nobody else’s', async () => {
    const attempt = pool.transaction(async (tx) => {
      const [one, two] = [await nested(tx).together(write, 'f1'), await nested(tx).together(write, 'f2')]
      assert.deepEqual([one, two], ['F1', 'F2'])
      await assert.rejects(nested(tx).together(write, 'f2'))
      throw new Error('never mind')
    })
    await assert.rejects(attempt, /never mind/)
    assert.deepEqual(await written('f'), [])
  })
})

describe('what is asked at the same moment with other values', () => {
  const statements: Sql[] = []
  const shared = createShared(
    {
      ...pool,
      rows(query) {
        statements.push(query)
        return pool.rows(query)
      },
    },
    new Line(),
  )
  const upTo = (first: number, last: number, words: string[] = ['x']) => sql`
    select n, ${unseen('2024-02-29', 'date')} as dia, ${unseen(words, 'text[]')} as palavras
    from generate_series(${unseen(first, 'bigint')}, ${unseen(last, 'bigint')}) n order by n`
  const numbers = async (query: Sql) => (await shared<{ n: number }>(query)).map(({ n }) => n)

  it('is one statement, and each has its own rows in their order, or none', async () => {
    statements.length = 0
    const answers = await Promise.all([numbers(upTo(1, 3)), numbers(upTo(5, 4)), numbers(upTo(7, 9))])
    assert.deepEqual(answers, [[1, 2, 3], [], [7, 8, 9]])
    assert.equal(statements.length, 1)
    assert.notEqual(statements[0]?.name, undefined)
  })

  it('arrives as it was sent, whatever its type', async () => {
    const words = ['a', 'ção', 'com "aspas", {chaves} e \\', '', 'null']
    const [row] = await shared(upTo(2 ** 40, 2 ** 40, words))
    assert.deepEqual({ ...(row as object) }, { n: 2 ** 40, dia: '2024-02-29', palavras: words, vez: 1 })
  })

  it('answers as it does alone', async () => {
    const alone = await pool.rows<{ n: number }>(upTo(1, 3, ['a', 'b']))
    const together = await shared<{ n: number }>(upTo(1, 3, ['a', 'b']))
    assert.deepEqual(
      together,
      alone.map((row) => ({ ...row, vez: 1 })),
    )
  })

  it('is not mixed with other statements', async () => {
    statements.length = 0
    const other = sql`select ${unseen(1, 'bigint')} + 41 as n`
    assert.deepEqual(await Promise.all([numbers(upTo(1, 1)), numbers(other)]), [[1], [42]])
    assert.equal(statements.length, 2)
  })

  it('is answered although one of them is refused, and only that one is told', async () => {
    const upside = (day: string) => sql`select extract(day from ${unseen(day, 'date')})::integer as n`
    const answers = await Promise.allSettled(
      ['2024-01-05', '2024-02-31', '2024-01-07'].map((day) => numbers(upside(day))),
    )
    assert.deepEqual(
      answers.map((one) => (one.status === 'fulfilled' ? one.value : 'refused')),
      [[5], 'refused', [7]],
    )
  })

  it('has unseen values only', async () => {
    await assert.rejects(numbers(sql`select ${1}::integer as n`), /unseen values only/)
  })

  it('is a statement of its own inside a transaction', async () => {
    const found = await pool.transaction((tx) => nested(tx).shared<{ n: number }>(upTo(1, 2)))
    assert.deepEqual(
      found.map(({ n }) => n),
      [1, 2],
    )
  })
})
