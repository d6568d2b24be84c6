import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { type Answer, testApp } from '../harness/app.ts'
import { openConsole } from '../harness/console.ts'
import { createTestDatabase } from '../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())
const limitesDb = createPool({ connection: database.connection, max: 1 })
after(() => limitesDb.end())
const t = await testApp({ database, limitesDb, env: { RATE_LIMITS: 'on' } })
after(() => t.close())

const limitsOf = ({ status, headers }: Answer) => [
  status,
  Number(headers['x-ratelimit-limit']),
  Number(headers['x-ratelimit-remaining']),
]

it('the console has 600 requests a minute, whatever the plan, beside those of the account’s programs', async () => {
  const ana = await t.person()
  const browser = await openConsole(t, ana.email)
  const me = () => browser.send('GET', '/usuarios/me')
  assert.deepEqual(limitsOf(await me()), [200, 600, 599])
  assert.deepEqual(limitsOf(await t.as(ana).get('/usuarios/me')), [200, 50, 49])
  await database.pool.run(sql`update limites set minuto_gasto = 599 where chave = ${`console:${ana.id}`}`)
  assert.deepEqual(limitsOf(await me()), [200, 600, 0])
  const refused = await me()
  assert.deepEqual(limitsOf(refused), [429, 600, 0])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await t.as(ana).get('/usuarios/me')).status, 200, 'its programs go on')
  t.clock.advance(61_000)
  assert.equal((await me()).status, 200)
  await database.pool.run(sql`update limites set minuto_gasto = 50 where chave = ${`usuario:${ana.id}`}`)
  assert.equal((await me()).status, 200, 'the console goes on')
})

it('a cookie that does not count is counted for the address', async () => {
  const ana = await t.person()
  const browser = await openConsole(t, ana.email)
  const answer = await browser.send('GET', '/usuarios/me', undefined, {
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  assert.deepEqual(limitsOf(answer).slice(0, 2), [401, 1000])
})
