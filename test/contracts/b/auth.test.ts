import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, forgetFailures, PASSWORD, testApp } from '../../harness/app.ts'
import { problems, tally } from '../refusals.ts'

const t = await testApp({ realLogins: true })
after(() => t.close())
beforeEach(() => forgetFailures(t.database.pool))

type Login = (email: string, senha: string, headers?: Record<string, string>) => Promise<Answer>

const FORM = 'application/x-www-form-urlencoded'
const json =
  (path: string, email: string, senha: string): Login =>
  (e, s, headers = {}) =>
    t.anonymous.post(path, { [email]: e, [senha]: s }, { headers })

/** Every way to log in, of both descriptions. */
const LOGINS: Record<string, Login> = {
  '/auth/login with username and password': json('/auth/login', 'username', 'password'),
  '/auth/login with email and senha': json('/auth/login', 'email', 'senha'),
  '/auth/login with username and senha': json('/auth/login', 'username', 'senha'),
  '/auth/login with email and password': json('/auth/login', 'email', 'password'),
  '/usuarios/login': json('/usuarios/login', 'email', 'password'),
  '/usuarios/login_sw': (username, password, headers = {}) =>
    t.anonymous.request('POST', '/usuarios/login_sw', {
      headers: { 'content-type': FORM, ...headers },
      payload: String(new URLSearchParams({ grant_type: 'password', username, password })),
    }),
}

const sessionsOf = async (email: string) =>
  t.database.pool.rows<{ id: string; hash: Buffer; endereco_ip: string | null; agente: string | null }>(sql`
    select s.id, r.hash, host(s.endereco_ip) as endereco_ip, s.agente
      from sessoes s join usuarios u on u.id = s.usuario_id join refresh_tokens r on r.sessao_id = s.id
     where u.email = ${email} order by s.criado_em desc`)

for (const [route, logIn] of Object.entries(LOGINS))
  describe(route, () => {
    it('answers a pair of tokens and the user; the access token opens protected routes', async () => {
      const { id, email } = await t.person()
      const { status, body } = await logIn(email, PASSWORD)
      assert.equal(status, 200)
      const { access_token, refresh_token, user, ...rest } = body
      assert.deepEqual(rest, { token_type: 'bearer', expires_in: 3600 })
      assert.deepEqual(Object.keys(user), ['id', 'nome', 'email'])
      assert.deepEqual([user.id, user.email], [id, email])
      assert.notEqual(access_token, refresh_token)
      const logado = await t.as({ id, email, token: access_token }).get('/usuarios/logado')
      assert.deepEqual([logado.status, logado.body.id], [200, id])
    })

    it('takes the email in any case, and the password only as it is', async () => {
      const { email } = await t.person()
      assert.equal((await logIn(email.toUpperCase(), PASSWORD)).status, 200)
      assert.equal((await logIn(email, PASSWORD.toUpperCase())).status, 401)
      assert.equal((await logIn(email, ` ${PASSWORD}`)).status, 401)
    })

    it('answers a wrong password and an unknown email alike, byte for byte, and opens no session', async () => {
      const { email } = await t.person()
      const before = await sessionsOf(email)
      const headers = { 'x-request-id': 'same' }
      const answers = [
        await logIn(email, 'Outra#Senha1', headers),
        await logIn(`ninguem.${email}`, 'Outra#Senha1', headers),
      ].map(({ status, headers: { date: _date, ...others }, text }) => ({
        status,
        headers: others,
        text: text.replace(/"timestamp":"[^"]+"/, '"timestamp"'),
      }))
      assert.deepEqual(answers[0], answers[1])
      assert.equal(answers[0]?.status, 401)
      assert.match(answers[0].text, /"code":"INVALID_CREDENTIALS"/)
      assert.deepEqual(await sessionsOf(email), before)
    })

    it('tells a deactivated account so only after the right password, and opens no session', async () => {
      const { id, email } = await t.person()
      await t.database.pool.run(sql`update usuarios set desativado_em = now() where id = ${id}`)
      const before = await sessionsOf(email)
      const wrong = await logIn(email, 'Outra#Senha1')
      assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'INVALID_CREDENTIALS'])
      const right = await logIn(email, PASSWORD)
      assert.deepEqual([right.status, right.body.error.code], [403, 'ACCOUNT_INACTIVE'])
      assert.deepEqual(await sessionsOf(email), before)
    })
  })

describe('a login', () => {
  it('does not stand in line behind 400 wrong ones of another source', async () => {
    const { email } = await t.person()
    const logIn = (remoteAddress: string, senha: string) =>
      t.server.inject({ method: 'POST', url: '/api/v1/auth/login', payload: { email, senha }, remoteAddress })
    let answered = 0
    const wrong = Array.from({ length: 400 }, () =>
      logIn('198.51.100.1', 'Errada#Senha1').then(() => answered++),
    )
    assert.equal((await logIn('198.51.100.2', PASSWORD)).statusCode, 200)
    assert.ok(answered < 40, `${answered} were answered before`)
    await Promise.all(wrong)
  })

  const logIn = LOGINS['/auth/login with username and password'] as Login

  it('opens a session of its own, also when ten come at the same time', async () => {
    const { email } = await t.person()
    const answers = await Promise.all(Array.from({ length: 10 }, () => logIn(email, PASSWORD)))
    assert.deepEqual(tally(answers), { 200: 10 })
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 10)
    assert.equal((await sessionsOf(email)).length, 11)
  })

  it('keeps the refresh token only as a hash, and notes when and with what it came', async () => {
    const { id, email } = await t.person()
    const { body } = await logIn(email, PASSWORD, { 'user-agent': 'Navegador/1.0 '.repeat(30) })
    const [session] = await sessionsOf(email)
    assert.deepEqual(session?.hash, createHash('sha256').update(body.refresh_token).digest())
    assert.equal(session?.agente, 'Navegador/1.0 '.repeat(30).slice(0, 300))
    const row = await t.database.pool.first<{ ultimo_login: Date }>(sql`
      select ultimo_login from usuarios where id = ${id}`)
    assert.ok(Math.abs(Number(row?.ultimo_login) - t.clock.now().getTime()) < 10_000)
  })

  for (const [remoteAddress, expected] of [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', null],
  ] as const)
    it(`from ${remoteAddress} works and is noted as from ${expected}`, async () => {
      const { email } = await t.person()
      const payload = { username: email, password: PASSWORD }
      const { statusCode } = await t.server.inject({
        method: 'POST',
        url: '/api/v1/auth/login',
        payload,
        remoteAddress,
      })
      assert.equal(statusCode, 200)
      assert.equal((await sessionsOf(email))[0]?.endereco_ip, expected)
    })

  it('leaves neither password nor tokens in the log', async () => {
    const { email } = await t.person()
    const { body } = await logIn(email, PASSWORD)
    await logIn(email, 'Errada#Senha1')
    await t.as({ id: 0, email, token: body.access_token }).get('/usuarios/logado')
    const log = t.logs.join('')
    assert.ok(log.includes('/api/v1/auth/login'))
    for (const secret of [PASSWORD, 'Errada#Senha1', body.access_token, body.refresh_token, email])
      assert.ok(!log.includes(secret))
  })
})

describe('POST /auth/login refuses with 422 and names the fields:', () => {
  for (const [what, body, expected] of [
    ['nothing given', {}, ['username REQUIRED', 'password REQUIRED']],
    ['no password', { username: 'ana@saude.example' }, ['password REQUIRED']],
    ['no password, email given', { email: 'ana@saude.example' }, ['password REQUIRED']],
    ['no user', { senha: 'x' }, ['username REQUIRED']],
    [
      'an empty user and password',
      { username: '', password: '' },
      ['username REQUIRED', 'password REQUIRED'],
    ],
    ['an empty email and senha', { email: '', senha: '' }, ['email REQUIRED', 'senha REQUIRED']],
    ['wrong types', { username: 5, password: ['x'] }, ['username INVALID_TYPE', 'password INVALID_TYPE']],
    ['null', { username: null, senha: null }, ['username INVALID_TYPE', 'senha INVALID_TYPE']],
    [
      'the NUL character',
      { username: 'a\0@b.example', password: 'a\0' },
      ['username INVALID_FORMAT', 'password INVALID_FORMAT'],
    ],
    [
      'far too long ones',
      { username: 'a'.repeat(255), password: 'a'.repeat(1001) },
      ['username TOO_LONG', 'password TOO_LONG'],
    ],
    ['a list', [], [' INVALID_TYPE']],
  ] as [string, object, string[]][])
    it(what, async () => {
      const { status, body: answer } = await t.anonymous.post('/auth/login', body)
      assert.equal(status, 422)
      const { code, details, ...envelope } = answer.error
      assert.equal(code, 'VALIDATION_ERROR')
      assert.deepEqual(problems(details), expected)
      for (const detail of details) assert.deepEqual(Object.keys(detail), ['field', 'message', 'code'])
      assert.deepEqual(Object.keys(envelope), ['message', 'request_id', 'timestamp'])
    })

  it('no body at all', async () => {
    assert.equal((await t.anonymous.post('/auth/login')).status, 422)
  })

  it('but what is no email is simply not known', async () => {
    const { status } = await t.anonymous.post('/auth/login', { username: 'ana', password: 'x' })
    assert.equal(status, 401)
  })
})

describe('POST /auth/login', () => {
  for (const [type, payload, status, code] of [
    [FORM, 'username=a&password=b', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['text/plain', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', '{"username":', 400, 'MALFORMED_REQUEST'],
  ] as const)
    it(`answers ${status} to ${payload} as ${type}`, async () => {
      const headers = { 'content-type': type }
      const { status: answered, body } = await t.anonymous.request('POST', '/auth/login', {
        headers,
        payload,
      })
      assert.deepEqual([answered, body.error.code], [status, code])
    })
})
