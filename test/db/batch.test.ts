import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '../../src/db/batch.ts'
import type { Db } from '../../src/db/db.ts'
import { nested } from '../../src/db/nested.ts'
import { sql } from '../../src/db/sql.ts'
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

describe('concurrent calls of one work', () => {
  it('share few statements, and each gets its own result', async () => {
    turns.length = 0
    const all = names('a', 100)
    const answers = await Promise.all(all.map((nome) => pool.batch(write, nome)))
    assert.deepEqual(
      answers,
      all.map((nome) => nome.toUpperCase()),
    )
    assert.deepEqual(await written('a'), all)
    assert.deepEqual(turns, [64, 36])
  })

  it('are written although one of them is refused, and only that one fails', async () => {
    const all = [...names('b', 20), 'b007']
    const answers = await Promise.allSettled(all.map((nome) => pool.batch(write, nome)))
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []))
    assert.equal(refused.length, 1)
    assert.ok(refused[0]?.is('VALIDATION_ERROR'))
    assert.deepEqual(await written('b'), names('b', 20))
  })

  it('are not retried one by one when the database is away', async () => {
    let tries = 0
    const away = async () => {
      tries++
      await new Promise(setImmediate)
      throw new AppError('UNAVAILABLE', { retryAfter: 1 })
    }
    const answers = await Promise.allSettled(names('c', 50).map((nome) => pool.batch(away, nome)))
    assert.ok(answers.every((one) => one.status === 'rejected' && one.reason.is('UNAVAILABLE')))
    assert.equal(tries, 1)
  })

  it('leave later calls unharmed when they fail', async () => {
    await assert.rejects(pool.batch(write, 'b001'))
    assert.equal(await pool.batch(write, 'd'), 'D')
  })

  it('queue while a batch is under way, and share the next', async () => {
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
      for (let i = 0; i < wave; i++) asked.push(pool.batch(held, i))
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

  it('stay apart from those of other work', async () => {
    const count = async (_db: Db, items: number[]) => items.map(() => items.length)
    const [, other] = await Promise.all([pool.batch(write, 'e'), pool.batch(count, 1)])
    assert.equal(other, 1)
  })

  it('inside a transaction are part of it, and of no other batch', async () => {
    const attempt = pool.transaction(async (tx) => {
      const [one, two] = [await nested(tx).batch(write, 'f1'), await nested(tx).batch(write, 'f2')]
      assert.deepEqual([one, two], ['F1', 'F2'])
      await assert.rejects(nested(tx).batch(write, 'f2'))
      throw new Error('never mind')
    })
    await assert.rejects(attempt, /never mind/)
    assert.deepEqual(await written('f'), [])
  })
})

describe('a batcher', () => {
  const turn = () => new Promise(setImmediate)

  it('runs as many batches at once as it may, each of at most its size', async () => {
    const gate = Promise.withResolvers<void>()
    const sizes: number[] = []
    const { add } = createBatcher(
      async (items: number[]) => {
        sizes.push(items.length)
        await gate.promise
        return items
      },
      { most: 3, turns: 2 },
    )
    const asked = Array.from({ length: 8 }, (_, i) => add(i))
    await turn()
    await turn()
    await turn()
    assert.deepEqual(sizes, [3, 3])
    gate.resolve()
    assert.deepEqual(await Promise.all(asked), [0, 1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(sizes, [3, 3, 2])
  })

  it('knows the age of its oldest queued item, which is not that of one under way', async () => {
    const gate = Promise.withResolvers<void>()
    const { add, waitedMs } = createBatcher(async (items: number[]) => {
      await gate.promise
      return items
    })
    assert.equal(waitedMs(), 0)
    const first = add(1)
    await turn()
    assert.equal(waitedMs(), 0)
    const second = add(2)
    await sleep(20)
    assert.ok(waitedMs() >= 19)
    gate.resolve()
    await Promise.all([first, second])
    assert.equal(waitedMs(), 0)
  })
})
