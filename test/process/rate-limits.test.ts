import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { attachEmbedded } from '../../src/db/embedded/embedded.ts'
import { dataFolder } from './service.ts'

const folder = await dataFolder({ after })
const start = () => folder.start({ RATE_LIMITS: 'on' })

/** Of the hour, which no slow machine lets pass. */
async function taken(): Promise<number> {
  const client = new pg.Client({ ...(await attachEmbedded(folder.dataDir)), ssl: false })
  await client.connect()
  const { rows } = await client.query('select hora_gasto::int as taken from limites')
  await client.end()
  assert.equal(rows.length, 1)
  return rows[0].taken
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
