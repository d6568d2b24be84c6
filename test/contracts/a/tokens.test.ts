import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PASSWORD, type Person, testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

interface Session extends Person {
  refresh_token: string
}

async function logIn({ id, email }: Person): Promise<Session> {
  const { body } = await t.anonymous.post('/usuarios/login', { email, password: PASSWORD })
  return { id, email, token: body.access_token, refresh_token: body.refresh_token }
}

const refresh = (token: string) =>
  t.anonymous.post(`/usuarios/refresh-token?refresh_token=${encodeURIComponent(token)}`)
const logOut = (session: Session, token: string) =>
  t.as(session).post(`/usuarios/logout?refresh_token=${encodeURIComponent(token)}`)
const lives = async (session: Session) => (await t.as(session).get('/usuarios/logado')).status === 200

describe('POST /usuarios/logout', () => {
  it('ends the session of the given refresh token: neither of its tokens works any more', async () => {
    const session = await logIn(await t.person())
    const { status, body } = await logOut(session, session.refresh_token)
    assert.deepEqual([status, Object.keys(body)], [200, ['message']])
    assert.ok(!(await lives(session)))
    assert.equal((await refresh(session.refresh_token)).status, 401)
  })

  it('ends the session that is named, not the one that asks', async () => {
    const person = await t.person()
    const [here, there] = [await logIn(person), await logIn(person)]
    assert.equal((await logOut(here, there.refresh_token)).status, 200)
    assert.deepEqual([await lives(here), await lives(there)], [true, false])
    assert.equal((await refresh(there.refresh_token)).status, 401)
  })

  it('refuses a token that is no refresh token or somebody else’s, and ends nothing', async () => {
    const [ana, bia] = [await logIn(await t.person()), await logIn(await t.person())]
    for (const token of [bia.refresh_token, 'nada', ana.token.slice(0, 500)]) {
      const { status, body } = await logOut(ana, token)
      assert.deepEqual([status, body.error.code], [401, 'INVALID_REFRESH_TOKEN'])
    }
    assert.deepEqual([await lives(ana), await lives(bia)], [true, true])
    assert.equal((await refresh(bia.refresh_token)).status, 200)
  })

  for (const [what, query, type] of [
    ['no token', '', 'required'],
    ['an empty one', '?refresh_token=', 'required'],
    ['a far too long one', `?refresh_token=${'x'.repeat(513)}`, 'too_long'],
    ['one with NUL', '?refresh_token=a%00', 'invalid_format'],
  ])
    for (const route of ['logout', 'refresh-token'])
      it(`and refresh-token refuse ${what} in the form of the contract: ${route}`, async () => {
        const session = await logIn(await t.person())
        const { status, body } = await t.as(session).post(`/usuarios/${route}${query}`)
        assert.equal(status, 422)
        const [{ loc, type: found }] = body.detail
        assert.deepEqual([loc, found], [['query', 'refresh_token'], `value_error.${type}`])
        assert.ok(await lives(session))
      })
})

describe('POST /usuarios/refresh-token', () => {
  it('answers the full token response, and the new pair works', async () => {
    const session = await logIn(await t.person())
    const { status, body } = await refresh(session.refresh_token)
    assert.equal(status, 200)
    const { access_token, refresh_token, user, ...rest } = body
    assert.deepEqual(rest, { token_type: 'bearer', expires_in: 3600 })
    assert.deepEqual([user.id, user.email], [session.id, session.email])
    assert.ok(await lives({ ...session, token: access_token }))
    assert.notEqual(refresh_token, session.refresh_token)
  })

  it('answers the same pair again within ten seconds, and ends the session after that', async () => {
    const session = await logIn(await t.person())
    const first = await refresh(session.refresh_token)
    assert.deepEqual((await refresh(session.refresh_token)).body, first.body)
    t.clock.advance(10_500)
    const { status, body } = await refresh(session.refresh_token)
    assert.deepEqual([status, body.error.code], [401, 'INVALID_REFRESH_TOKEN'])
    assert.ok(!(await lives({ ...session, token: first.body.access_token })))
    assert.equal((await refresh(first.body.refresh_token)).status, 401)
  })

  it('leaves no token in the log, though it stands in the address', async () => {
    const session = await logIn(await t.person())
    const { body } = await refresh(session.refresh_token)
    await logOut({ ...session, token: body.access_token }, body.refresh_token)
    const log = t.logs.join('')
    assert.ok(log.includes('/usuarios/refresh-token'))
    for (const token of [session.refresh_token, body.refresh_token]) assert.ok(!log.includes(token))
  })
})
