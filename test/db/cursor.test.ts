import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { readBlocks } from '../../src/db/cursor.ts'
import type { Db } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'
import { createTestDatabase } from '../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database

const numbers = (upTo: number) => sql`select n from generate_series(1, ${upTo}::integer) n`

async function blocksOf(tx: Db, upTo: number): Promise<{ n: number }[][]> {
  const blocks: { n: number }[][] = []
  for await (const block of readBlocks<{ n: number }>(tx, 'numeros', numbers(upTo))) blocks.push(block)
  return blocks
}

describe('A long reading', () => {
  it('gives every row once, in order, in blocks of 250', async () => {
    const blocks = await pool.snapshot((tx) => blocksOf(tx, 600))
    assert.deepEqual(
      blocks.map(({ length }) => length),
      [250, 250, 100],
    )
    assert.deepEqual(
      blocks.flat().map(({ n }) => n),
      Array.from({ length: 600 }, (_, i) => i + 1),
    )
  })

  it('of nothing gives no block', async () => {
    assert.deepEqual(await pool.snapshot((tx) => blocksOf(tx, 0)), [])
  })

  it('that its reader leaves ends with the transaction, and leaves the connection in order', async () => {
    const first = await pool.snapshot(async (tx) => {
      for await (const block of readBlocks<{ n: number }>(tx, 'numeros', numbers(1_000))) return block.length
      return 0
    })
    assert.equal(first, 250)
    assert.equal(await pool.value(sql`select count(*)::integer from pg_cursors where name = 'numeros'`), 0)
  })

  it('fails where the database does, however late', async () => {
    const seen: number[] = []
    const broken = sql`select 1 / (500 - n) as n from generate_series(1, 1000) n`
    await assert.rejects(
      pool.snapshot(async (tx) => {
        for await (const block of readBlocks(tx, 'numeros', broken)) seen.push(block.length)
      }),
      /VALIDATION_ERROR/,
    )
    assert.deepEqual(seen, [250])
  })
})
