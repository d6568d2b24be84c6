import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { forgetFailures, PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { browserOf, cookieHeader, cookieIn, OWN_PAGE, openConsole } from '../../harness/console.ts'

const t = await testApp()
after(() => t.close())
const { pool } = t.database
beforeEach(() => forgetFailures(pool))

const NEW_PASSWORD = 'Outra#Senha9'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const JSON_BODY = { 'content-type': 'application/json' }

const me = (value: string) =>
  t.anonymous.get('/usuarios/me', { headers: { ...OWN_PAGE, cookie: cookieHeader(value) } })
const statusOf = async (value: string) => (await me(value)).status
const currentOf = (browser: { value(): string | null }) => browser.value() as string
const liveSessions = async ({ id }: Person) =>
  (
    await pool.rows(sql`
      select from sessoes where usuario_id = ${id} and encerrada_em is null and expira_em > ${t.clock.now()}`)
  ).length

describe('POST /auth/sessao', () => {
  it('answers the profile with its permissions, and an opaque cookie that no script can read', async () => {
    const ana = await t.person({ grupos: ['analista'] })
    const browser = browserOf(t)
    const answer = await browser.send('POST', '/auth/sessao', { username: ana.email, password: PASSWORD })
    assert.equal(answer.status, 200)
    assert.match(
      String(answer.headers['set-cookie']),
      /^__Host-vigia=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    const profile = await browser.send('GET', '/usuarios/me?include=grupos,permissoes')
    assert.equal(profile.status, 200)
    assert.deepEqual({ ...answer.body, ultimo_acesso: 0 }, { ...profile.body, ultimo_acesso: 0 })
    assert.ok(answer.body.permissoes_efetivas.includes('agravos.listar'))
    assert.ok(!answer.text.includes(currentOf(browser)), 'the value is in the cookie alone')
    assert.doesNotMatch(answer.text, /token/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  })

  it('stores the hash of the value alone, on the row of the session, and no refresh token', async () => {
    const ana = await t.person()
    const value = currentOf(await openConsole(t, ana.email))
    const row = await pool.first<{ linha: string; tokens: number }>(sql`
      select to_jsonb(s)::text as linha, (select count(*) from refresh_tokens r where r.sessao_id = s.id) as tokens
        from sessoes s where usuario_id = ${ana.id} and cookie_hash = sha256(${Buffer.from(value)})`)
    assert.ok(row)
    assert.equal(row.tokens, 0)
    assert.ok(!row.linha.includes(value))
    assert.ok(!t.logs.some((line) => line.includes(value)))
  })

  it('gives another value at each login, and ends the session that the browser had before', async () => {
    const ana = await t.person()
    const browser = await openConsole(t, ana.email)
    const first = currentOf(browser)
    const again = await browser.send('POST', '/auth/sessao', { email: ana.email, senha: PASSWORD })
    assert.equal(again.status, 200)
    assert.notEqual(currentOf(browser), first)
    assert.equal(await statusOf(first), 401)
    assert.equal(await statusOf(currentOf(browser)), 200)
  })

  it('does not take a value that the client chose', async () => {
    const ana = await t.person()
    const planted = browserOf(t, 'A'.repeat(43))
    await planted.send('POST', '/auth/sessao', { email: ana.email, senha: PASSWORD })
    assert.notEqual(currentOf(planted), 'A'.repeat(43))
    assert.equal(await statusOf('A'.repeat(43)), 401)
  })

  it('keeps the rules of the login: password, second factor, lock, inactive accounts', async () => {
    const ana = await t.person()
    const send = (body: object) => browserOf(t).send('POST', '/auth/sessao', { email: ana.email, ...body })
    const { body: factor } = await t.as(ana).post('/auth/mfa/enable')
    await pool.run(sql`update usuarios set mfa_ativado_em = now() where id = ${ana.id}`)
    const asked = await send({ senha: PASSWORD })
    assert.deepEqual([asked.status, asked.body.error.code, cookieIn(asked)], [428, 'MFA_REQUIRED', undefined])
    assert.equal((await send({ senha: PASSWORD, mfa_code: 'ABCDE-23456' })).status, 401)
    const right = await send({ senha: PASSWORD, mfa_code: factor.backup_codes[0] })
    assert.equal(right.status, 200)
    assert.ok(cookieIn(right))
    assert.equal((await send({ senha: PASSWORD, mfa_code: factor.backup_codes[0] })).status, 401)
    for (let i = 0; i < 4; i++) await send({ senha: 'Errada#Senha1' })
    const locked = await send({ senha: PASSWORD, mfa_code: factor.backup_codes[1] })
    assert.equal(locked.status, 423)
    const left = Date.parse(locked.body.error.locked_until) - t.clock.now().getTime()
    assert.ok(left > 0 && left <= 15 * 60_000, 'the time until it opens')
    assert.equal(cookieIn(locked), undefined)
    await forgetFailures(pool)
    await pool.run(sql`update usuarios set desativado_em = now() where id = ${ana.id}`)
    const inactive = await send({ senha: PASSWORD, mfa_code: factor.backup_codes[1] })
    assert.deepEqual([inactive.status, inactive.body.error.code], [403, 'ACCOUNT_INACTIVE'])
  })

  it('answers 422 without a user name, and opens nothing', async () => {
    const answer = await browserOf(t).send('POST', '/auth/sessao', { senha: PASSWORD })
    assert.equal(answer.status, 422)
    assert.equal(cookieIn(answer), undefined)
  })

  it('lets in who must change the password, to that and to the way out only', async () => {
    const ana = await t.person()
    await pool.run(sql`update usuarios set trocar_senha = true where id = ${ana.id}`)
    const browser = await openConsole(t, ana.email)
    const refused = await browser.send('GET', '/usuarios/me')
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'PASSWORD_CHANGE_REQUIRED'])
    const change = { senha_atual: PASSWORD, senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD }
    assert.equal((await browser.send('POST', '/auth/change-password', change)).status, 200)
    assert.equal((await browser.send('GET', '/usuarios/me')).status, 200)
    await pool.run(sql`update usuarios set trocar_senha = true where id = ${ana.id}`)
    assert.equal((await browser.send('DELETE', '/auth/sessao')).status, 204)
  })
})

describe('DELETE /auth/sessao', () => {
  it('ends the session, clears the cookie and what the pages stored', async () => {
    const ana = await t.person()
    const browser = await openConsole(t, ana.email)
    const value = currentOf(browser)
    const { status, headers, text } = await browser.send('DELETE', '/auth/sessao')
    assert.deepEqual([status, text], [204, ''])
    assert.equal(headers['clear-site-data'], '"storage"')
    assert.equal(headers['set-cookie'], '__Host-vigia=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0')
    assert.equal(await statusOf(value), 401)
    assert.equal((await browser.send('DELETE', '/auth/sessao')).status, 401)
  })

  it('for want of use ends a session of the browser alone: one that is kept stands', async () => {
    const ana = await t.person()
    const unused = '/auth/sessao?inatividade=true'
    const kept = browserOf(t)
    await kept.send('POST', '/auth/sessao', { email: ana.email, senha: PASSWORD, remember_me: true })
    const answer = await kept.send('DELETE', unused)
    assert.deepEqual([answer.status, answer.headers['clear-site-data']], [204, undefined])
    assert.equal(await statusOf(currentOf(kept)), 200)
    const browser = await openConsole(t, ana.email)
    const value = currentOf(browser)
    assert.equal((await browser.send('DELETE', unused)).status, 204)
    assert.equal(await statusOf(value), 401)
    assert.equal((await kept.send('DELETE', '/auth/sessao?inatividade=sim')).status, 422)
  })

  it('is 401 with a token: that is no session of the console, and goes on', async () => {
    const ana = await t.person()
    assert.equal((await t.as(ana).delete('/auth/sessao')).status, 401)
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 200)
  })
})

describe('the session of the console', () => {
  it('is in the list, marked as the present one, and can be ended from another', async () => {
    const ana = await t.person()
    const browser = await openConsole(t, ana.email)
    const { body } = await browser.send('GET', '/auth/sessions')
    const current = body.items.filter((one: { current: boolean }) => one.current)
    assert.equal(current.length, 1)
    assert.equal((await t.as(ana).delete(`/auth/sessions/${current[0].id}`)).status, 204)
    assert.equal((await browser.send('GET', '/usuarios/me')).status, 401)
  })

  const ENDS: [what: string, act: (ana: Person, value: string) => Promise<{ status: number }>][] = [
    ['a logout everywhere by a token', (ana) => t.as(ana).post('/auth/logout', { everywhere: true })],
    [
      'a password changed elsewhere',
      (ana) =>
        t.as(ana).post('/auth/change-password', {
          senha_atual: PASSWORD,
          senha_nova: NEW_PASSWORD,
          confirmar_senha: NEW_PASSWORD,
        }),
    ],
    [
      'a password set by an administrator',
      async (ana) =>
        t.as(await t.administrador()).post(`/usuarios/${ana.id}/alterar-senha`, { nova_senha: NEW_PASSWORD }),
    ],
    ['deactivation', async (ana) => t.as(await t.administrador()).post(`/usuarios/${ana.id}/desativar`)],
    [
      'a logout everywhere in the console itself',
      (_ana, value) => browserOf(t, value).send('POST', '/auth/logout', { everywhere: true }),
    ],
  ]
  for (const [what, act] of ENDS)
    it(`ends with ${what}`, async () => {
      const ana = await t.person()
      const value = currentOf(await openConsole(t, ana.email))
      assert.equal(await statusOf(value), 200)
      assert.equal((await act(ana, value)).status, 200)
      assert.equal(await statusOf(value), 401)
    })

  it('ends with a logout, which clears the cookie', async () => {
    const ana = await t.person()
    const browser = await openConsole(t, ana.email)
    const value = currentOf(browser)
    assert.equal((await browser.send('POST', '/auth/logout')).status, 200)
    assert.equal(browser.value(), null)
    assert.equal(await statusOf(value), 401)
    assert.equal(await liveSessions(ana), 1, 'that of the token')
  })

  it('ends after eight hours without activity; activity prolongs it', async () => {
    const ana = await t.person()
    const value = currentOf(await openConsole(t, ana.email))
    for (let i = 0; i < 2; i++) {
      t.clock.advance(8 * HOUR - 120_000)
      assert.equal(await statusOf(value), 200)
    }
    t.clock.advance(8 * HOUR + 1_000)
    assert.equal(await statusOf(value), 401)
  })

  it('that is remembered lasts thirty days without activity, and ninety at most', async () => {
    const ana = await t.person()
    const browser = browserOf(t)
    const body = { email: ana.email, senha: PASSWORD, remember_me: true }
    const { headers } = await browser.send('POST', '/auth/sessao', body)
    assert.match(String(headers['set-cookie']), /; SameSite=Strict; Max-Age=2592000$/)
    const began = t.clock.now().getTime()
    for (let i = 0; i < 3; i++) {
      t.clock.advance(30 * DAY - 60_000)
      const answer = await browser.send('GET', '/usuarios/me')
      assert.equal(answer.status, 200)
      assert.match(String(answer.headers['set-cookie']), /; Max-Age=2592000$/, 'renewed')
    }
    t.clock.advance(90 * DAY - (t.clock.now().getTime() - began) + 1_000)
    assert.equal((await browser.send('GET', '/usuarios/me')).status, 401)
    const other = await openConsole(t, ana.email, { remember_me: true })
    t.clock.advance(30 * DAY + 1_000)
    assert.equal((await other.send('GET', '/usuarios/me')).status, 401)
  })
})

describe('the value of the cookie', () => {
  /** Used until it is a day old. */
  async function yesterdays(): Promise<{ old: string; person: Person }> {
    const person = await t.person()
    const browser = await openConsole(t, person.email)
    for (let i = 0; i < 4; i++) {
      t.clock.advance(6 * HOUR - 60_000)
      assert.equal(cookieIn(await browser.send('GET', '/usuarios/me')), undefined, 'not yet')
    }
    t.clock.advance(300_000)
    return { old: currentOf(browser), person }
  }

  it('is renewed once a day; the old one holds for 60 s and is told the new one again', async () => {
    const { old } = await yesterdays()
    const renewed = cookieIn(await me(old)) as string
    assert.match(renewed, /^[\w-]{43}$/)
    assert.notEqual(renewed, old)
    assert.equal(cookieIn(await me(renewed)), undefined, 'once')
    t.clock.advance(50_000)
    const late = await me(old)
    assert.deepEqual([late.status, cookieIn(late)], [200, renewed])
    t.clock.advance(11_000)
    assert.equal(await statusOf(old), 401)
    assert.equal(await statusOf(renewed), 200)
  })

  it('is renewed to the same one for all tabs that ask at once, and by refusals too', async () => {
    const { old } = await yesterdays()
    const headers = { ...OWN_PAGE, cookie: cookieHeader(old) }
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => me(old)),
      t.anonymous.get('/auditoria', { headers }),
    ])
    assert.equal(answers.at(-1)?.status, 403)
    const told = new Set(answers.map(cookieIn).filter((value) => value !== undefined))
    assert.equal(told.size, 1)
    assert.equal(await statusOf([...told][0] as string), 200)
  })

  it('is not brought back by a logout that comes with the renewal', async () => {
    const { old } = await yesterdays()
    const answer = await browserOf(t, old).send('DELETE', '/auth/sessao')
    assert.equal(answer.status, 204)
    assert.equal(cookieIn(answer), null)
  })

  it('of before the renewal ends at once with a password changed in the console', async () => {
    const { old } = await yesterdays()
    const browser = browserOf(t, old)
    await browser.send('GET', '/usuarios/me')
    const renewed = currentOf(browser)
    const change = { senha_atual: PASSWORD, senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD }
    assert.equal((await browser.send('POST', '/auth/change-password', change)).status, 200)
    assert.deepEqual([await statusOf(old), await statusOf(renewed)], [401, 401])
    assert.equal(await statusOf(currentOf(browser)), 200)
  })

  const CHANGES: [what: string, act: (ana: Person) => [string, string, object]][] = [
    [
      'change-password',
      () => [
        'POST',
        '/auth/change-password',
        { senha_atual: PASSWORD, senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD },
      ],
    ],
    [
      'a change of the own account in A',
      ({ id, email }) => ['PUT', `/usuarios/${id}`, { usuario: { nome: 'Ana', email, senha: NEW_PASSWORD } }],
    ],
    [
      'alterar-senha of the own account',
      ({ id }) => ['POST', `/usuarios/${id}/alterar-senha`, { nova_senha: NEW_PASSWORD }],
    ],
  ]
  for (const [what, act] of CHANGES)
    it(`is another after ${what}, and the old one ends at once`, async () => {
      const ana = await t.person({ admin: true })
      const browser = await openConsole(t, ana.email)
      const old = currentOf(browser)
      const { status, text } = await browser.send(...act(ana))
      assert.equal(status, 200, text)
      assert.notEqual(currentOf(browser), old)
      assert.equal(await statusOf(old), 401)
      assert.equal(await statusOf(currentOf(browser)), 200)
    })

  it('stays when a password is refused', async () => {
    const ana = await t.person()
    const browser = await openConsole(t, ana.email)
    const old = currentOf(browser)
    const change = { senha_atual: 'Errada#Senha1', senha_nova: NEW_PASSWORD, confirmar_senha: NEW_PASSWORD }
    assert.equal((await browser.send('POST', '/auth/change-password', change)).status, 401)
    assert.equal(currentOf(browser), old)
    assert.equal(await statusOf(old), 200)
  })

  for (const [what, value] of [
    ['empty', ''],
    ['too short', 'A'.repeat(42)],
    ['too long', 'A'.repeat(44)],
    ['of other characters', `${'A'.repeat(42)}=`],
    ['a hash', '5'.repeat(64)],
    ['unknown', 'B'.repeat(43)],
    ['hostile', "' or true --"],
  ] as const)
    it(`that is ${what} is nobody's`, async () => {
      assert.equal(await statusOf(value), 401)
    })

  it('that comes twice, or under another name, is nobody’s', async () => {
    const ana = await t.person()
    const value = currentOf(await openConsole(t, ana.email))
    const ask = (cookie: string) => t.anonymous.get('/usuarios/me', { headers: { ...OWN_PAGE, cookie } })
    assert.equal((await ask(`a=b; ${cookieHeader(value)}; c=d`)).status, 200)
    for (const cookie of [
      `${cookieHeader(value)}; ${cookieHeader(value)}`,
      `${cookieHeader('B'.repeat(43))}; ${cookieHeader(value)}`,
      `vigia=${value}`,
      `__host-vigia=${value}`,
      `x__Host-vigia=${value}`,
      `__Secure-vigia=${value}`,
    ])
      assert.equal((await ask(cookie)).status, 401, cookie.slice(0, 20))
  })

  it('is no access token, no refresh token and no way into the API with a header', async () => {
    const ana = await t.person()
    const value = currentOf(await openConsole(t, ana.email))
    const headers = { authorization: `Bearer ${value}` }
    assert.equal((await t.anonymous.get('/usuarios/me', { headers })).status, 401)
    const refresh = { refresh_token: value }
    assert.equal((await t.anonymous.post('/auth/refresh', refresh, { headers: JSON_BODY })).status, 401)
  })
})
