import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder } from './service.ts'

const database = await createTestDatabase()
const folder = await dataFolder({ after })
after(() => database.drop())
const start = () => folder.start({ DATABASE_URL: databaseUrl(database.name), RATE_LIMITS: 'on' })

/** Of the hour, which no slow machine lets pass. */
async function taken(): Promise<number | undefined> {
  const rows = await database.pool.rows<{ taken: number }>(sql`select hora_gasto::int as taken from limites`)
  assert.equal(rows.length, 1)
  return rows[0]?.taken
}

describe('the count of requests', () => {
  it('outlives a restart and a kill, to the request', async () => {
    const first = await start()
    for (let i = 0; i < 15; i++) {
      const { headers } = await first.request('/nada')
      assert.equal(headers['x-ratelimit-limit'], '1000')
    }
    assert.equal((await first.stop()).code, 0)

    const second = await start()
    assert.equal(await taken(), 15)
    await second.request('/nada')
    await second.kill()

    const third = await start()
    assert.equal(await taken(), 16)
    await third.request('/nada')
    assert.equal(await taken(), 17)
  })
})
