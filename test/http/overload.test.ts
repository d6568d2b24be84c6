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
import { createDoor } from '../../src/http/overload.ts'
import { createLogger } from '../../src/system/logging.ts'
import { testApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'

describe('The door', () => {
  const LONG = 1_000
  const SHORT = 50
  const NONE = 0
  function aDoor() {
    const changes: boolean[] = []
    const door = createDoor((strained) => changes.push(strained))
    /** So many looks, each after a tenth of a second in which so many were answered. */
    const look = (times: number, waitMs: number, answered = 10) => {
      for (let i = 0; i < times; i++) door.look(waitMs, answered, 100)
    }
    const admitted = (asked: number, waitMs: number, atWork = 100) =>
      Array.from({ length: asked }, () => door.admits(atWork, waitMs)).filter(Boolean).length
    return { changes, look, admitted }
  }

  it('lets a burst wait: a long line that soon gets shorter refuses nobody', () => {
    const { changes, look, admitted } = aDoor()
    for (let i = 0; i < 20; i++) {
      look(3, LONG)
      assert.equal(admitted(500, LONG), 500)
      look(1, SHORT)
    }
    assert.deepEqual(changes, [])
  })

  it('refuses all who would wait long, once the line stays long', () => {
    const { changes, look, admitted } = aDoor()
    look(20, NONE)
    look(4, LONG)
    assert.deepEqual(changes, [true])
    assert.equal(admitted(100, LONG), 0)
  })

  it('never refuses the few', () => {
    const { look, admitted } = aDoor()
    look(100, LONG)
    assert.equal(admitted(1, LONG, 49), 1)
    assert.equal(admitted(1, LONG, 50), 0)
  })

  it('then lets in about as many as are answered, the fewer the longer the wait', () => {
    const { look, admitted } = aDoor()
    look(20, NONE)
    look(4, LONG)
    const after = (waitMs: number) => {
      look(1, waitMs)
      return admitted(1_000, waitMs)
    }
    const [few, some, more] = [after(140), after(75), after(30)]
    assert.ok(few < some && some < more, `${few} < ${some} < ${more}`)
    assert.ok(few >= 4 && more <= 12, 'of ten that are answered between two looks')
  })

  it('lets in more and more while nobody waits, also after nothing could be answered', () => {
    const { look, admitted } = aDoor()
    look(30, LONG, 0)
    const rates = Array.from({ length: 25 }, () => {
      look(1, NONE, 0)
      return admitted(1_000, NONE)
    })
    assert.ok((rates[0] as number) >= 1, 'never nobody at all')
    assert.ok((rates.at(-1) as number) >= 5 * (rates[0] as number))
  })

  it('is open again when nobody was refused for a while, and not before', () => {
    const { changes, look, admitted } = aDoor()
    look(4, LONG)
    for (let i = 0; i < 100; i++) {
      look(1, NONE, 0)
      admitted(1, LONG)
    }
    assert.deepEqual(changes, [true], 'still refusing')
    look(21, NONE)
    assert.deepEqual(changes, [true, false])
    assert.equal(admitted(500, LONG), 500)
  })
})

describe('More than can be answered', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-overload-'))
  const database = await createTestDatabase()
  // Nobody's patience ends here: what is refused was refused at the door.
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

  it('is refused at the door, with the time to try again, while monitors are answered and nothing is lost', async () => {
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
