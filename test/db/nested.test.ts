import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { nested } from '../../src/db/nested.ts'
import { unavailable } from '../../src/db/pg-errors.ts'
import { sql } from '../../src/db/sql.ts'
import { createTestDatabase } from '../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())

/** The statements that a use-case whose work fails leaves behind on the connection. */
async function statementsAfter(failure: Error): Promise<string[]> {
  const statements: string[] = []
  await database.pool.transaction(async (tx) => {
    const noted: Db = {
      ...tx,
      run(query) {
        statements.push(query.text.trim())
        return tx.run(query)
      },
    }
    const work = nested(noted).transaction(async (inner) => {
      await inner.run(sql`select 1`)
      throw failure
    })
    await assert.rejects(work, failure)
  })
  return statements
}

describe('a transaction within another', () => {
  it('is undone alone when its work fails', async () => {
    assert.deepEqual(await statementsAfter(new Error('refused')), [
      'savepoint nested',
      'select 1',
      'rollback to savepoint nested',
    ])
  })

  it('asks nothing more of a connection that did not answer', async () => {
    assert.deepEqual(await statementsAfter(unavailable()), ['savepoint nested', 'select 1'])
  })
})
