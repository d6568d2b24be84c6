import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { problems } from '../refusals.ts'

const t = await testApp()
after(() => t.close())

interface Pair {
  access_token: string
  refresh_token: string
}

const MINUTE = 60_000
const asToken = (token: string) => t.as({ id: 0, email: '', token })
const works = async (token: string) => (await asToken(token).get('/usuarios/logado')).status === 200
const refresh = (refresh_token: string) => t.anonymous.post('/auth/refresh', { refresh_token })

async function logIn({ email }: Person, agent?: string): Promise<Pair & { id: string }> {
  const headers = agent === undefined ? {} : { 'user-agent': agent }
  const { body } = await t.anonymous.post('/auth/login', { email, senha: PASSWORD }, { headers })
  const payload = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString())
  return { ...body, id: payload.sid }
}

/** The session is over: its access token on the next request, and its refresh token. */
async function isOver({ access_token, refresh_token }: Pair) {
  assert.ok(!(await works(access_token)))
  assert.equal((await refresh(refresh_token)).body.error.code, 'INVALID_REFRESH_TOKEN')
}

async function goesOn({ access_token, refresh_token }: Pair) {
  assert.ok(await works(access_token))
  assert.equal((await refresh(refresh_token)).status, 200)
}

const live = () =>
  t.database.pool.first(sql`
    select array(select id::text from sessoes where encerrada_em is null order by id) as sessoes,
           (select count(*) from auditoria) as auditoria`)

async function refuses(act: () => Promise<Answer>, status: number, code: string) {
  const before = await live()
  const { status: answered, body, text } = await act()
  assert.deepEqual([answered, body.error?.code], [status, code], text)
  assert.deepEqual(await live(), before, 'a refusal ends nothing')
  return body.error
}

const AGENTS: [agent: string, device: string][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    'Chrome / Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
    'Edge / Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox / Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari / macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari / iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    'Chrome / Android',
  ],
  ['curl/8.10.1', 'curl'],
  ['python-requests/2.32.3', 'Python'],
  ['coisa estranha <script>', 'Desconhecido'],
]

describe('GET /auth/sessions', () => {
  it('lists the own live sessions and nobody else’s, the current one marked', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const [here, ended] = [await logIn(ana), await logIn(ana)]
    await asToken(ended.access_token).post('/auth/logout')
    const { status, body } = await asToken(here.access_token).get('/auth/sessions')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['total', 'items'])
    assert.equal(body.total, 2)
    for (const item of body.items)
      assert.deepEqual(Object.keys(item), [
        'id',
        'device',
        'ip_address',
        'location',
        'created_at',
        'last_activity',
        'current',
      ])
    const current = body.items.filter((item: { current: boolean }) => item.current)
    assert.deepEqual(
      current.map(({ id, ip_address, location }: Record<string, unknown>) => [id, ip_address, location]),
      [[here.id, '127.0.0.1', null]],
    )
    const others = (await t.as(bia).get('/auth/sessions')).body
    assert.deepEqual([others.total, others.items[0].current], [1, true])
  })

  it('leaves out a session that expired', async () => {
    const ana = await t.person()
    const old = await logIn(ana)
    await t.database.pool.run(sql`update sessoes set expira_em = ${t.clock.now()} where id = ${old.id}`)
    const { body } = await t.as(ana).get('/auth/sessions')
    assert.ok(!body.items.some(({ id }: { id: string }) => id === old.id))
    await refuses(() => t.as(ana).delete(`/auth/sessions/${old.id}`), 404, 'SESSION_NOT_FOUND')
  })

  it('tells the device from the user agent', async () => {
    const ana = await t.person()
    for (const [agent, device] of AGENTS) {
      const { id } = await logIn(ana, agent)
      const { body } = await t.as(ana).get('/auth/sessions')
      assert.equal(body.items.find((item: { id: string }) => item.id === id).device, device)
    }
  })

  it('tells the address that the login came from', async () => {
    const ana = await t.person()
    for (const remoteAddress of ['203.0.113.9', '2001:db8::9']) {
      const payload = { username: ana.email, password: PASSWORD }
      const options = { method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress } as const
      const { access_token } = (await t.server.inject(options)).json()
      const { body } = await asToken(access_token).get('/auth/sessions')
      assert.equal(body.items.find((item: { current: boolean }) => item.current).ip_address, remoteAddress)
    }
  })

  it('keeps created_at, and moves last_activity and ultimo_acesso with requests, to the minute', async () => {
    const ana = await t.person()
    const start = t.clock.now().getTime()
    const { access_token, refresh_token, id } = await logIn(ana)
    const times = async () => {
      const { body } = await t.as(ana).get('/auth/sessions')
      const { created_at, last_activity } = body.items.find((item: { id: string }) => item.id === id)
      const row = await t.database.pool.first<{ ultimo_acesso: Date; ultimo_login: Date }>(sql`
        select ultimo_acesso, ultimo_login from usuarios where id = ${ana.id}`)
      return {
        created: Date.parse(created_at) - start,
        active: Date.parse(last_activity) - start,
        acesso: Number(row?.ultimo_acesso) - start,
        login: Number(row?.ultimo_login) - start,
      }
    }
    const near = (actual: number, expected: number) =>
      assert.ok(Math.abs(actual - expected) < 5000, `${actual} is near ${expected}`)
    for (const value of Object.values(await times())) near(value, 0)
    t.clock.advance(50_000)
    await works(access_token)
    near((await times()).active, 0)
    t.clock.advance(15_000)
    await works(access_token)
    const moved = await times()
    near(moved.active, 65_000)
    near(moved.acesso, 65_000)
    near(moved.created, 0)
    near(moved.login, 0)
    t.clock.advance(10 * MINUTE)
    near((await times()).active, 65_000)
    await refresh(refresh_token)
    near((await times()).active, 65_000 + 10 * MINUTE)
    await logIn(ana)
    near((await times()).login, 65_000 + 10 * MINUTE)
  })
})

describe('DELETE /auth/sessions/{session_id}', () => {
  it('ends that session for good, access and refresh token, and no other', async () => {
    const ana = await t.person()
    const [here, there] = [await logIn(ana), await logIn(ana)]
    const { status, text } = await asToken(here.access_token).delete(`/auth/sessions/${there.id}`)
    assert.deepEqual([status, text], [204, ''])
    await isOver(there)
    assert.ok(await works(ana.token))
    const again = () => asToken(here.access_token).delete(`/auth/sessions/${there.id}`)
    await refuses(again, 404, 'SESSION_NOT_FOUND')
    const audit = await t.database.pool.first(sql`
      select ator_id from auditoria where acao = 'sessao.encerrada' and recurso_id = ${there.id}`)
    assert.deepEqual(audit, { ator_id: ana.id })
    await goesOn(here)
  })

  it('takes the id in capitals and the current session too', async () => {
    const here = await logIn(await t.person())
    const { status } = await asToken(here.access_token).delete(`/auth/sessions/${here.id.toUpperCase()}`)
    assert.equal(status, 204)
    await isOver(here)
  })

  it('holds on another instance from its next request on', async () => {
    const other = await testApp({ database: t.database, dataKey: t.dataKey })
    try {
      const ana = await t.person()
      const there = await logIn(ana)
      const before = await other.as({ ...ana, token: there.access_token }).get('/usuarios/logado')
      await t.as(ana).delete(`/auth/sessions/${there.id}`)
      const later = await other.as({ ...ana, token: there.access_token }).get('/usuarios/logado')
      assert.deepEqual([before.status, later.status], [200, 401])
    } finally {
      await other.close()
    }
  })

  it('is 404 for foreign, unknown and nonsensical ids, alike, and ends nothing', async () => {
    const [ana, bia] = [await t.person(), await t.person({ admin: true })]
    const foreign = await logIn(ana)
    for (const id of [foreign.id, randomUUID(), 'x', '1', '%27%20or%20true', 'todas', `${foreign.id}0`])
      await refuses(() => t.as(bia).delete(`/auth/sessions/${id}`), 404, 'SESSION_NOT_FOUND')
    await goesOn(foreign)
  })

  it('is 422 for an id that is too long or cannot be stored', async () => {
    const ana = await t.person()
    for (const [id, expected] of [
      ['x'.repeat(65), 'session_id TOO_LONG'],
      ['a%00b', 'session_id INVALID_FORMAT'],
    ] as const) {
      const act = () => t.as(ana).delete(`/auth/sessions/${id}`)
      assert.deepEqual(problems((await refuses(act, 422, 'VALIDATION_ERROR')).details), [expected])
    }
  })
})

describe('POST /auth/logout', () => {
  it('without a body ends the session it came through, and only that', async () => {
    const ana = await t.person()
    for (const body of [undefined, {}, { everywhere: false }]) {
      const [here, there] = [await logIn(ana), await logIn(ana)]
      const { status, body: answer } = await asToken(here.access_token).post('/auth/logout', body)
      assert.deepEqual([status, answer], [200, { message: 'Sessão encerrada' }])
      await isOver(here)
      await goesOn(there)
    }
  })

  it('with a refresh token of one’s own ends the session of that token', async () => {
    const ana = await t.person()
    const [here, there] = [await logIn(ana), await logIn(ana)]
    const { refresh_token } = there
    assert.equal((await asToken(here.access_token).post('/auth/logout', { refresh_token })).status, 200)
    await isOver(there)
    await goesOn(here)
  })

  it('ends the session also by a refresh token that was rotated since', async () => {
    const here = await logIn(await t.person())
    const renewed = (await refresh(here.refresh_token)).body
    const { refresh_token } = here
    assert.equal((await asToken(here.access_token).post('/auth/logout', { refresh_token })).status, 200)
    await isOver(renewed)
  })

  it('with everywhere ends all sessions of the account and nobody else’s', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const [here, there, other] = [await logIn(ana), await logIn(ana), await logIn(bia)]
    const { body } = await asToken(here.access_token).post('/auth/logout', { everywhere: true })
    assert.deepEqual(body, { message: 'Todas as sessões foram encerradas' })
    await isOver(here)
    await isOver(there)
    assert.ok(!(await works(ana.token)))
    await goesOn(other)
  })

  it('with a foreign or unknown refresh token is 401 and ends nothing, everywhere or not', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const [here, foreign] = [await logIn(ana), await logIn(bia)]
    for (const refresh_token of [foreign.refresh_token, 'x'.repeat(43), here.access_token.slice(0, 500)])
      for (const everywhere of [false, true])
        await refuses(
          () => asToken(here.access_token).post('/auth/logout', { refresh_token, everywhere }),
          401,
          'INVALID_REFRESH_TOKEN',
        )
    await goesOn(here)
    await goesOn(foreign)
  })

  it('is 422 for fields of the wrong kind', async () => {
    const ana = await t.person()
    for (const [body, expected] of [
      [{ refresh_token: 5 }, ['refresh_token INVALID_TYPE']],
      [{ refresh_token: 'x'.repeat(513) }, ['refresh_token TOO_LONG']],
      [{ everywhere: 'sim' }, ['everywhere INVALID_TYPE']],
      [[], [' INVALID_TYPE']],
    ] as const) {
      const error = await refuses(() => t.as(ana).post('/auth/logout', body), 422, 'VALIDATION_ERROR')
      assert.deepEqual(problems(error.details), expected)
    }
  })
})

describe('POST /usuarios/logout', () => {
  const path = (refresh_token: string) => `/usuarios/logout?refresh_token=${refresh_token}`

  it('ends the session of the refresh token in the query', async () => {
    const ana = await t.person()
    const [here, there] = [await logIn(ana), await logIn(ana)]
    const { status, body } = await asToken(here.access_token).post(path(there.refresh_token))
    assert.deepEqual([status, body], [200, { message: 'Sessão encerrada' }])
    await isOver(there)
    await goesOn(here)
    const own = await logIn(ana)
    await asToken(own.access_token).post(path(own.refresh_token))
    await isOver(own)
  })

  it('with a foreign or unknown refresh token is 401 and ends nothing', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const foreign = await logIn(bia)
    for (const token of [foreign.refresh_token, 'x'.repeat(43)])
      await refuses(() => t.as(ana).post(path(token)), 401, 'INVALID_REFRESH_TOKEN')
    await goesOn(foreign)
  })

  it('without it is 422 in the form of this description, and ends nothing', async () => {
    const ana = await t.person()
    for (const query of ['', '?refresh_token=', `?refresh_token=${'x'.repeat(513)}`]) {
      const { status, body } = await t.as(ana).post(`/usuarios/logout${query}`)
      assert.equal(status, 422)
      assert.deepEqual(Object.keys(body), ['detail'])
      assert.deepEqual(body.detail[0].loc, ['query', 'refresh_token'])
      assert.deepEqual(Object.keys(body.detail[0]), ['loc', 'msg', 'type'])
    }
    assert.ok(await works(ana.token))
  })
})
