import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder, request } from './service.ts'

const database = await createTestDatabase()
const folder = await dataFolder({ after })
after(() => database.drop())
const DATABASE_URL = databaseUrl(database.name)

describe('METRICS_PORT', async () => {
  const service = await folder.start({ DATABASE_URL, METRICS_PORT: '0', LOG_LEVEL: 'silent' })
  const address = /^Metrics: (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m.exec(service.output.stdout)?.[1] ?? ''
  const metrics = async () => (await request(new URL(address))).text

  it('serves Prometheus text on a port of its own', async () => {
    const { status, headers } = await request(new URL(address))
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
    assert.equal((await request(new URL('/api/v1/health', address))).status, 404)
    assert.equal((await service.request('/metrics')).status, 404)
  })

  it('counts requests by route and status, without URLs, ids or addresses', async () => {
    const token = await service.login(ADMIN_EMAIL, PASSWORD)
    for (const id of [1, 2, 987654]) await service.request(`/api/v1/grupos/${id}?nome=Maria`, { token })
    await service.request('/api/v1/grupos/1')
    await service.request('/wp-admin/Maria.php')
    const text = await metrics()
    const count = (method: string, route: string, status: number) => {
      const labels = `method="${method}",route="${route}",status="${status}"`
      const found = text
        .split('\n')
        .find((line) => line.startsWith(`vigia_http_request_seconds_count{${labels}}`))
      return Number(found?.split(' ')[1] ?? 0)
    }
    assert.equal(count('GET', '/api/v1/grupos/{id}', 200), 2)
    assert.equal(count('GET', '/api/v1/grupos/{id}', 404), 1)
    assert.equal(count('GET', '/api/v1/grupos/{id}', 401), 1)
    assert.equal(count('POST', '/api/v1/auth/login', 200), 1)
    assert.equal(count('GET', 'unmatched', 404), 2)
    assert.doesNotMatch(text, /Maria|987654|wp-admin|teste\.local|127\.0\.0\.1/)
  })

  it('tells the state of the pool and the lag of the event loop', async () => {
    const text = await metrics()
    assert.match(text, /^vigia_db_connections\{state="total"\} [1-9]/m)
    assert.match(text, /^vigia_db_connections\{state="waiting"\} 0$/m)
    assert.match(text, /^vigia_http_refused_excess_total 0$/m)
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m)
    assert.match(text, /^process_resident_memory_bytes \d+$/m)
  })

  it('a port that is taken is told in one sentence', async () => {
    const { port } = new URL(address)
    const { code, stderr } = await folder.run([], { DATABASE_URL, METRICS_PORT: port })
    assert.equal(code, 1)
    assert.equal(stderr.trim(), `METRICS_PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}`)
  })

  it('stops with the service, whoever still reads', async () => {
    assert.equal((await service.stop()).code, 0)
    await assert.rejects(metrics(), { code: 'ECONNREFUSED' })
  })
})
