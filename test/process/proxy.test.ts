import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Sql, sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder, request } from './service.ts'

const HEALTH = '/api/v1/health'

const database = await createTestDatabase()
const folder = await dataFolder({ after })
after(() => database.drop())
const DATABASE_URL = databaseUrl(database.name)
const first = <T>(query: Sql) => database.pool.first<T>(query)

describe('behind a proxy that ends TLS', async () => {
  const service = await folder.start({ DATABASE_URL, TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' })

  async function addressOfLogin(forwardedFor: string | null): Promise<string> {
    const { status, text } = await service.request('/api/v1/auth/login', {
      body: { username: ADMIN_EMAIL, password: PASSWORD },
      headers: {
        'x-forwarded-proto': 'https',
        ...(forwardedFor !== null && { 'x-forwarded-for': forwardedFor }),
      },
    })
    assert.equal(status, 200, text)
    const sessao = await first<{ ip: string }>(
      sql`select host(endereco_ip) as ip from sessoes order by criado_em desc limit 1`,
    )
    return sessao?.ip ?? ''
  }

  it('speaks plain HTTP to the proxy', () => {
    assert.match(service.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('answers a request that came to the proxy over TLS', async () => {
    const { status } = await service.request(HEALTH, { headers: { 'x-forwarded-proto': 'https' } })
    assert.equal(status, 200)
  })

  for (const [what, proto] of [
    ['plainly', { 'x-forwarded-proto': 'http' }],
    ['plainly, with a lie in front', { 'x-forwarded-proto': 'https, http' }],
    ['nobody knows how', {}],
  ] as [string, Record<string, string>][])
    it(`refuses one that came ${what}, in the caller's language, before looking at it`, async () => {
      const before = await first(sql`select count(*) from sessoes`)
      const { status, body } = await service.request('/api/v1/auth/login', {
        body: { username: ADMIN_EMAIL, password: PASSWORD },
        headers: { 'accept-language': 'en', ...proto },
      })
      assert.equal(status, 403)
      assert.equal(body.error.code, 'HTTPS_REQUIRED')
      assert.equal(body.error.message, 'Only HTTPS is accepted')
      assert.deepEqual(await first(sql`select count(*) from sessoes`), before)
    })

  it('answers the health check of the load balancer, which is plain and forwards nothing, and nothing else so', async () => {
    const { status, body } = await service.request(HEALTH)
    assert.deepEqual([status, body.status], [200, 'ok'])
    for (const [path, headers] of [
      [HEALTH, { 'x-forwarded-proto': 'http' }],
      [HEALTH, { 'x-forwarded-for': '203.0.113.7' }],
      [HEALTH, { forwarded: 'for=203.0.113.7;proto=http' }],
      [`${HEALTH}/detailed`, {}],
      ['/api/v1/openapi.json', {}],
    ] as [string, Record<string, string>][]) {
      const refused = await service.request(path, { headers })
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'HTTPS_REQUIRED'], path)
    }
  })

  it('takes the last address that no trusted proxy has for the client’s', async () => {
    assert.equal(await addressOfLogin('203.0.113.7'), '203.0.113.7')
    assert.equal(await addressOfLogin('198.51.100.1, 203.0.113.8, 10.1.2.3'), '203.0.113.8')
    assert.equal(await addressOfLogin('6.6.6.6, 2001:db8::9'), '2001:db8::9')
    assert.equal(await addressOfLogin(null), '127.0.0.1')
  })
})

describe('behind a proxy on another machine', async () => {
  const service = await folder.start({ DATABASE_URL, TRUST_PROXY: '10.0.0.0/8' })
  const { port } = new URL(service.url)
  const healthCheck = () =>
    spawnSync(process.execPath, [fileURLToPath(new URL('../../deploy/health.mjs', import.meta.url))], {
      env: { PORT: port, TRUST_PROXY: '10.0.0.0/8' },
    }).status

  it('answers the health check of its container, and no other plain request of this machine', async () => {
    assert.equal((await service.request(HEALTH)).status, 200)
    for (const [path, headers] of [
      [HEALTH, { 'x-forwarded-proto': 'https' }],
      [`${HEALTH}/detailed`, {}],
    ] as [string, Record<string, string>][])
      assert.equal((await service.request(path, { headers })).status, 403, path)
    assert.equal(healthCheck(), 0)
    await service.stop()
    assert.equal(healthCheck(), 1)
  })
})

describe('without a proxy', async () => {
  const service = await folder.start({ DATABASE_URL })
  const plain = new URL(HEALTH, service.url.replace('https:', 'http:'))

  for (const [language, message] of [
    ['pt-BR', 'Somente HTTPS é aceito'],
    ['en', 'Only HTTPS is accepted'],
    ['es-MX', 'Solo se acepta HTTPS'],
  ] as const)
    it(`plain HTTP to the TLS port is refused in the language asked for (${language})`, async () => {
      const answer = await request(plain, {
        headers: { 'accept-language': language, 'x-request-id': 'pedido-1' },
      })
      assert.equal(answer.status, 403)
      assert.equal(answer.body.error.code, 'HTTPS_REQUIRED')
      assert.equal(answer.body.error.message, message)
      assert.equal(answer.body.error.request_id, 'pedido-1')
      assert.equal(answer.headers['x-request-id'], 'pedido-1')
    })

  it('nobody can claim to be behind one', async () => {
    const claim = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
    assert.equal((await request(plain, { headers: claim })).status, 403)
    const { status } = await service.request('/api/v1/auth/login', {
      body: { username: ADMIN_EMAIL, password: PASSWORD },
      headers: claim,
    })
    assert.equal(status, 200)
    const sessao = await first(
      sql`select host(endereco_ip) as ip from sessoes order by criado_em desc limit 1`,
    )
    assert.deepEqual({ ...(sessao as object) }, { ip: '127.0.0.1' })
  })
})
