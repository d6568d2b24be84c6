import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { type Answer, type Person, type TestApp, type TestAppOptions, testApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database
const limitesDb = createPool({ connection: database.connection, max: 1 })
after(() => limitesDb.end())
const t = await testApp({ database, limitesDb, env: { RATE_LIMITS: 'on' } })
after(() => t.close())

/** One more instance on the same database, at the same time of day. */
async function anotherApp(options: TestAppOptions = {}): Promise<TestApp> {
  const env = { RATE_LIMITS: 'on', ...options.env }
  const app = await testApp({ database, limitesDb, dataKey: t.dataKey, ...options, env })
  after(() => app.close())
  app.clock.advance(t.clock.now().getTime() - app.clock.now().getTime())
  return app
}

const HEADERS = ['limit', 'remaining', 'reset', 'reset-after'].map((name) => `x-ratelimit-${name}`)
const headersOf = ({ headers }: Answer) => HEADERS.map((name) => Number(headers[name] ?? Number.NaN))
const remainingOf = (answer: Answer) => headersOf(answer)[1] as number

async function setPlano({ id }: Person, plano: string): Promise<void> {
  await pool.run(sql`update usuarios set plano = ${plano} where id = ${id}`)
}

/** Every key begins anew. */
const nextHour = (app: TestApp = t) => app.clock.advance(3_600_000)

/** As if it had been spent, for limits that would take a thousand requests to reach. */
async function exhaustAddress(app: TestApp = t): Promise<void> {
  nextHour(app)
  const ask = () => app.anonymous.get('/usuarios/logado')
  for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 100 }, ask))
}

async function statusesOf(times: number, ask: () => Promise<Answer>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (const { status } of await Promise.all(Array.from({ length: times }, ask)))
    statuses[status] = (statuses[status] ?? 0) + 1
  return statuses
}

/** All four, of a window of at most this many seconds. */
function assertResets(answer: Answer, limit: number, remaining: number, seconds: number, app = t): void {
  const [saidLimit, saidRemaining, reset, after] = headersOf(answer) as [number, number, number, number]
  assert.deepEqual([saidLimit, saidRemaining], [limit, remaining])
  assert.ok(after > 0 && after <= seconds, `${after} of ${seconds} s`)
  const answeredAgo = app.clock.now().getTime() / 1000 - (reset - after)
  assert.ok(answeredAgo > -1 && answeredAgo < 60, `${reset} is in ${after} s`)
}

describe('the four headers', () => {
  it('are on every answer to an account and count down', async () => {
    nextHour()
    const ana = await t.person({ permissoes: ['grupos.listar'] })
    const answers: [number, Promise<Answer>][] = [
      [200, t.as(ana).get('/usuarios/logado')],
      [403, t.as(ana).get('/auditoria')],
      [422, t.as(ana).get('/grupos?page=0')],
      [404, t.as(ana).get('/grupos/999999')],
      [415, t.as(ana).post('/auth/change-password', 'x', { headers: { 'content-type': 'text/plain' } })],
    ]
    for (const [i, [status, answer]] of answers.entries()) {
      assert.equal((await answer).status, status)
      assert.equal(headersOf(await answer)[0], 50, `${i}`)
    }
    assertResets(await t.as(ana).get('/usuarios/logado'), 50, 44, 60)
  })

  const ANSWERS: [string, number, () => Promise<Answer>][] = [
    ['200 without a token', 200, () => t.anonymous.get('/openapi.json')],
    ['401 without a token', 401, () => t.anonymous.get('/usuarios/logado')],
    ['401 with a bad token', 401, () => t.as({ id: 0, email: '', token: 'a.b.c' }).get('/usuarios/logado')],
    ['404', 404, () => t.anonymous.get('/nada')],
    ['405', 405, () => t.anonymous.delete('/health')],
    ['422', 422, () => t.anonymous.post('/auth/login', {})],
    ['422 in the form of A', 422, () => t.anonymous.post('/usuarios/login', {})],
    ['400', 400, () => t.anonymous.request('POST', '/auth/login', malformed)],
    ['400, a URL that is none', 400, () => t.anonymous.get('//%zz')],
    ['a preflight', 204, () => t.anonymous.request('OPTIONS', '/grupos')],
    ['HEAD', 200, () => t.anonymous.request('HEAD', '/health')],
    ['a page', 200, () => t.anonymous.get('//docs')],
    ['health', 200, () => t.anonymous.get('/health')],
    ['the keys', 200, () => t.anonymous.get('/.well-known/jwks.json')],
  ]
  const malformed = { payload: '{', headers: { 'content-type': 'application/json' } }
  for (const [what, status, ask] of ANSWERS)
    it(`are on ${what}, which counts for the address`, async () => {
      nextHour()
      await t.anonymous.get('/nada')
      const answer = await ask()
      assert.equal(answer.status, status)
      assertResets(answer, 1_000, 998, 60)
      assert.equal(answer.headers['retry-after'], undefined)
    })

  it('can be read by pages of other origins', async () => {
    const { headers } = await t.anonymous.get('/health')
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ')
    for (const name of [...HEADERS, 'retry-after']) assert.ok(exposed.includes(name), name)
  })

  it('are in the document, in the answer that all operations share', () => {
    const { components, info } = t.document as {
      info: { description: string }
      components: { responses: Record<string, { headers: Record<string, { $ref?: string }> }> }
    }
    const described = Object.keys(components.responses.Erro?.headers ?? {}).map((name) => name.toLowerCase())
    assert.deepEqual(described.sort(), [...HEADERS, 'retry-after'].sort())
    assert.match(info.description, /X-RateLimit/)
  })
})

describe('a request too many', () => {
  for (const [plano, perMinute, perHour] of [
    ['basico', 50, 1_000],
    ['premium', 200, 10_000],
    ['enterprise', 1_000, 50_000],
  ] as const)
    it(`of a ${plano} account is refused, by the minute and by the hour`, async () => {
      const ana = await t.person()
      await setPlano(ana, plano)
      const ask = () => t.as(ana).get('/usuarios/logado')
      const seen: Record<number, number> = {}
      for (let asked = 0; asked < perMinute + 20; asked += 10)
        for (const [status, count] of Object.entries(await statusesOf(10, ask)))
          seen[Number(status)] = (seen[Number(status)] ?? 0) + count
      assert.deepEqual(seen, { 200: perMinute, 429: 20 })
      const refused = await ask()
      assertResets(refused, perMinute, 0, 60)
      t.clock.advance(1000 * (headersOf(refused)[3] as number))
      assertResets(await ask(), perMinute, perMinute - 1, 60)

      await pool.run(sql`
        update limites set hora_gasto = ${perHour + 10} where chave = ${`usuario:${ana.id}`}`)
      t.clock.advance(60_000)
      const late = await ask()
      assert.equal(late.status, 429)
      assertResets(late, perHour, 0, 3_600)
      assert.equal(late.headers['retry-after'], late.headers['x-ratelimit-reset-after'])
      t.clock.advance(60_000)
      assert.equal((await ask()).status, 429)
    })

  it('is told so in the envelope, in the caller’s language, in both descriptions, before its body is read', async () => {
    await exhaustAddress()
    for (const path of ['/auth/login', '/usuarios/login', '/usuarios/signup', '/nada'])
      for (const [language, message] of [
        ['pt-BR', 'Limite de requisições atingido; aguarde e tente novamente'],
        ['en-US', 'Request limit reached; wait and try again'],
      ] as const) {
        const headers = { 'content-type': 'application/json', 'accept-language': language }
        const refused = await t.anonymous.request('POST', path, { payload: '{ no JSON', headers })
        assert.equal(refused.status, 429)
        assert.deepEqual(Object.keys(refused.body.error).sort(), [
          ...['code', 'message', 'request_id', 'timestamp'],
        ])
        assert.equal(refused.body.error.code, 'RATE_LIMITED')
        assert.equal(refused.body.error.message, message)
        assertResets(refused, 1_000, 0, 60)
        assert.equal(refused.headers['retry-after'], refused.headers['x-ratelimit-reset-after'])
      }
  })

  it('is refused whatever it asks for, but for the health of the service', async () => {
    await exhaustAddress()
    const others: [string, string][] = [
      ['GET', '/nada'],
      ['DELETE', '/health'],
      ['OPTIONS', '/grupos'],
      ['GET', '//docs'],
      ['GET', '//%zz'],
      ['GET', '/openapi.json'],
      ['GET', '/health/detailed'],
      ['HEAD', '/openapi.json'],
    ]
    for (const [method, path] of others)
      assert.equal((await t.anonymous.request(method, path)).status, 429, `${method} ${path}`)
    const health = await t.anonymous.get('/health')
    assert.equal(health.status, 200)
    assertResets(health, 1_000, 0, 60)
  })

  it('changes nothing', async () => {
    nextHour()
    const ana = await t.person({ permissoes: ['grupos.criar'] })
    const create = (nome: string) => t.as(ana).post('/grupos', { nome, permissoes_ids: [] })
    for (let i = 0; i < 50; i++) await t.as(ana).get('/usuarios/logado')
    const grupos = () => pool.first(sql`select count(*) from grupos`)
    const before = await grupos()
    assert.equal((await create('tarde_demais')).status, 429)
    assert.deepEqual(await grupos(), before)
    t.clock.advance(60_000)
    assert.equal((await create('a_tempo')).status, 201)
  })

  it('of 200 at the same moment, 50 pass', async () => {
    const ana = await t.person()
    assert.deepEqual(await statusesOf(200, () => t.as(ana).get('/usuarios/logado')), { 200: 50, 429: 150 })
  })
})

describe('requests count', () => {
  it('for the account from any address and session, for the address with a token that is worth nothing', async () => {
    nextHour()
    const ana = await t.person()
    const bad = (token: string) => t.as({ ...ana, token }).get('/usuarios/logado')
    assert.equal(remainingOf(await bad('a.b.c')), 999)
    assert.equal(remainingOf(await bad(`${ana.token}x`)), 998)
    for (const [i, remoteAddress] of ['192.0.2.1', '192.0.2.2'].entries()) {
      const url = '/api/v1/usuarios/logado'
      const headers = { authorization: `Bearer ${ana.token}` }
      const answer = await t.server.inject({ url, headers, remoteAddress })
      assert.equal(Number(answer.headers['x-ratelimit-remaining']), 49 - i)
    }
    assert.equal(remainingOf(await t.anonymous.get('/usuarios/logado')), 997)
  })

  it('for the address on routes that ask for no token', async () => {
    nextHour()
    const ana = await t.person()
    assert.equal(remainingOf(await t.as(ana).get('/openapi.json')), 999)
    assert.equal(remainingOf(await t.as(ana).get('/nada')), 998)
    assert.equal(remainingOf(await t.as(ana).get('/usuarios/logado')), 49)
  })

  it('under another plan at once, when an administrator sets it', async () => {
    const [ana, admin] = [await t.person(), await t.administrador()]
    const ask = () => t.as(ana).get('/usuarios/logado')
    assert.deepEqual(await statusesOf(60, ask), { 200: 50, 429: 10 })
    const { body } = await t.as(admin).put(`/usuarios/${ana.id}`, { plano: 'premium' })
    assert.deepEqual(body.campos_alterados, ['plano'])
    assertResets(await ask(), 200, 149, 60)
    await t.as(admin).put(`/usuarios/${ana.id}`, { plano: 'basico' })
    assert.equal((await ask()).status, 429)
    assert.equal((await t.as(admin).get(`/usuarios/${ana.id}`)).body.plano, 'basico')
  })

  it('by X-Forwarded-For only where a trusted proxy says it', async () => {
    const proxied = await anotherApp({ env: { TRUST_PROXY: '10.0.0.0/8' } })
    const ask = async (app: TestApp, from: string, forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' }
      const answer = await app.server.inject({ url: '/nada', remoteAddress: from, headers })
      return [answer.statusCode, Number(answer.headers['x-ratelimit-remaining'])]
    }
    assert.deepEqual(await ask(t, '192.0.2.10', '198.51.100.1'), [404, 999])
    assert.deepEqual(await ask(t, '192.0.2.10', '198.51.100.2'), [404, 998])
    assert.deepEqual(await ask(proxied, '10.0.0.1', '198.51.100.3'), [404, 999])
    assert.deepEqual(await ask(proxied, '10.0.0.1', '198.51.100.4'), [404, 999])
    assert.deepEqual(await ask(proxied, '10.0.0.2', '203.0.113.1, 198.51.100.4, 10.0.0.9'), [404, 998])
    // Who is no proxy cannot choose an address, and is refused for having come plainly.
    assert.deepEqual(await ask(proxied, '192.0.2.20', '198.51.100.5'), [403, 999])
    assert.deepEqual(await ask(proxied, '192.0.2.20', '198.51.100.6'), [403, 998])
  })
})

describe('RATE_LIMITS', () => {
  it('off: nothing is counted and no header speaks of it', async () => {
    const off = await anotherApp({ env: { RATE_LIMITS: 'off' } })
    await pool.run(sql`delete from limites`)
    const { headers } = await off.anonymous.get('/health')
    for (const name of HEADERS) assert.equal(headers[name], undefined)
    assert.deepEqual(await pool.rows(sql`select * from limites`), [])
  })

  it('count: everything is counted and shown, and nobody refused', async () => {
    const counting = await anotherApp({ env: { RATE_LIMITS: 'count' } })
    const ana = await t.person()
    const ask = () => counting.as(ana).get('/usuarios/logado')
    assert.deepEqual(await statusesOf(120, ask), { 200: 120 })
    assert.equal(remainingOf(await ask()), 50_000_000 - 121)
  })
})

describe('several instances', () => {
  for (const [plano, limit] of [
    ['basico', 50],
    ['enterprise', 1_000],
  ] as const)
    it(`share the limit of a ${plano} account, and a new one knows what was spent`, async () => {
      const [there, later] = [await anotherApp(), await anotherApp()]
      const ana = await t.person()
      await setPlano(ana, plano)
      const grantedBy = async (app: TestApp) =>
        (await statusesOf(5, () => app.as(ana).get('/usuarios/logado')))[200] ?? 0
      let granted = 0
      for (let i = 0; i < limit / 10 + 4; i++) granted += (await grantedBy(t)) + (await grantedBy(there))
      assert.equal(granted, limit)
      assert.equal(await grantedBy(later), 0)
    })

  it('one that stops withholds nothing from the others', async () => {
    nextHour()
    const stopping = await anotherApp()
    assert.equal(remainingOf(await stopping.anonymous.get('/nada')), 999)
    await stopping.server.close()
    assert.equal(remainingOf(await t.anonymous.get('/nada')), 998)
  })
})

describe('when requests cannot be counted', () => {
  const away = createPool({ connection: { ...database.connection, host: '/nonexistent' } })
  after(() => away.end())

  it('nobody is refused for it, health answers, and all carry headers', async () => {
    const blind = await anotherApp({ limitesDb: away })
    const ana = await t.person()
    assert.deepEqual(await statusesOf(120, () => blind.as(ana).get('/usuarios/logado')), { 200: 120 })
    const health = await blind.anonymous.get('/health')
    assert.equal(health.status, 200)
    assertResets(health, 1_000, 1_000, 60)
    assert.match(blind.logs.join(''), /requests could not be counted/)
  })

  it('a database that is away altogether is 503, not 429, with the headers', async () => {
    const own = await createTestDatabase()
    const blind = await testApp({ database: own, env: { RATE_LIMITS: 'on' } })
    const ana = await blind.person()
    await own.drop()
    for (let i = 0; i < 60; i++) {
      const answer = await blind.as(ana).get('/usuarios/logado')
      assert.equal(answer.status, 503)
      assertResets(answer, 1_000, 1_000, 60, blind)
    }
    await blind.close()
  })
})
