import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createListener } from '../../src/commands/listen.ts'
import { readConfig } from '../../src/config/config.ts'
import { createPool } from '../../src/db/pool.ts'
import { createAdmission } from '../../src/http/overload.ts'
import { createLogger } from '../../src/system/logging.ts'
import { testApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'

describe('Admission', () => {
  const LONG = 151
  const FEW = 49
  const MANY = 50
  /** Already refusing: the delay was long for 0.4 s. */
  function refusingSince(now: number) {
    const admits = createAdmission()
    assert.equal(admits(LONG, MANY, now - 400), true)
    assert.equal(admits(LONG, MANY, now), false)
    return admits
  }

  it('admits while the delay is below the upper threshold, however many are open', () => {
    const admits = createAdmission()
    for (let now = 0; now < 10_000; now += 10) assert.ok(admits(150, 10_000, now))
  })

  it('lets a burst wait: a long delay that ends within 0.4 s refuses nobody', () => {
    const admits = createAdmission()
    for (let now = 0; now < 10_000; now += 500) {
      for (const elapsed of [0, 200, 399]) assert.ok(admits(5_000, 10_000, now + elapsed))
      assert.ok(admits(150, 10_000, now + 450))
    }
  })

  it('refuses above it, until the delay is below the lower threshold', () => {
    const admits = refusingSince(1_000)
    const answers = [150, 51, 50, 51, 150].map((delayMs, i) => admits(delayMs, MANY, 1_001 + i))
    assert.deepEqual(answers, [false, false, true, true, true])
  })

  it('refuses at once when the delay grows again, unless nothing was refused for two seconds', () => {
    const again = refusingSince(1_000)
    assert.equal(again(50, MANY, 1_001), true)
    assert.equal(again(LONG, MANY, 3_000), false)
    const calm = refusingSince(1_000)
    assert.equal(calm(50, MANY, 1_001), true)
    assert.equal(calm(LONG, MANY, 3_001), true)
    assert.equal(calm(LONG, MANY, 3_401), false)
  })

  it('never refuses the few', () => {
    const admits = refusingSince(1_000)
    assert.equal(admits(100_000, FEW, 1_001), true)
    assert.equal(admits(100_000, MANY, 1_002), false)
  })

  it('beyond capacity serves at full rate: the queue of the accepted stays short and never runs empty', () => {
    const admits = createAdmission()
    /** Arrival times of the accepted that wait. Each millisecond two requests arrive and one is answered. */
    const queue: number[] = []
    const waits: number[] = []
    let idle = 0
    for (let now = 0; now < 20_000; now++) {
      for (let i = 0; i < 2; i++)
        if (admits(queue[0] === undefined ? 0 : now - queue[0], queue.length, now)) queue.push(now)
      const served = queue.shift()
      if (served === undefined) idle++
      else waits.push(now - served)
    }
    assert.equal(idle, 0)
    const after = Math.max(...waits.slice(2_000))
    assert.ok(after <= 350, `${after} ms`)
    assert.ok(waits.length > 19_000)
  })
})

describe('More than can be answered', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-overload-'))
  const database = await createTestDatabase()
  // No time-out of the pool ends here: all refusals are load shedding.
  const patient = { waitMs: 100_000, statementTimeoutMs: 100_000 }
  const pool = createPool({ connection: database.connection, max: 2, ...patient })
  const listener = await createListener(readConfig({ DATA_DIR: dataDir }), createLogger('silent'))
  const t = await testApp({ database: { ...database, pool }, listener })
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  after(async () => {
    agent.destroy()
    await t.close()
    await pool.end()
    await database.drop()
    await rm(dataDir, { recursive: true })
  })
  await t.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.server.server.address() as AddressInfo
  const admin = await t.administrador()

  async function ask(method: string, path: string, options: https.RequestOptions & { body?: string } = {}) {
    const { body, ...rest } = options
    const request = https.request({
      port,
      host: '127.0.0.1',
      path: `/api/v1${path}`,
      method,
      rejectUnauthorized: false,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        ...rest.headers,
      },
      agent: rest.agent ?? false,
    })
    request.end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const text = (await response.toArray()).join('')
    return { status: response.statusCode, headers: response.headers, text, reused: request.reusedSocket }
  }

  /** Holds what all need, until the work is done. */
  async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
    const client = new pg.Client(database.connection)
    await client.connect()
    try {
      await client.query('begin; lock table grupos')
      return await work()
    } finally {
      await client.end()
    }
  }

  it('is refused before it is handled, with the time to try again, while monitors are answered and nothing is lost', async () => {
    const waiting: ReturnType<typeof ask>[] = []
    const { refused, dropped, alive } = await whileHeld(async () => {
      let answered = 0
      const arrive = () => waiting.push(ask('GET', '/grupos').finally(() => answered++))
      for (; answered === 0; arrive()) await sleep(20)
      const headers = { 'accept-language': 'en', 'x-request-id': 'demais-1' }
      return {
        refused: await ask('GET', '/grupos', { headers, agent }),
        dropped: await ask('POST', '/grupos', { body: JSON.stringify({ nome: 'x'.repeat(100_000) }), agent }),
        alive: await ask('GET', '/health?a=1', { agent }),
      }
    })
    assert.equal(refused.status, 503)
    assert.match(String(refused.headers['retry-after']), /^[1-3]$/)
    assert.equal(refused.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(refused.headers['cache-control'], 'no-store')
    assert.equal(refused.headers['access-control-allow-origin'], '*')
    assert.equal(refused.headers['x-request-id'], 'demais-1')
    const { timestamp, ...error } = JSON.parse(refused.text).error
    assert.ok(Number.isFinite(Date.parse(timestamp)))
    assert.deepEqual(error, {
      code: 'UNAVAILABLE',
      message: 'Service temporarily unavailable; try again',
      request_id: 'demais-1',
    })
    assert.equal(dropped.status, 503)
    assert.equal(alive.status, 200)
    assert.ok(dropped.reused && alive.reused, 'on the same connection')

    const answers = await Promise.all(waiting)
    const statuses = answers.map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503])
    assert.ok(
      statuses.filter((status) => status === 200).length >= 50,
      'the few who came in first are answered',
    )
    assert.equal((await ask('GET', '/grupos')).status, 200, 'and so is who comes when it is over')
    assert.ok(t.logs.some((line) => line.includes('too many requests')))
  })
})
