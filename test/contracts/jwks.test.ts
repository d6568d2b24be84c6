import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { sql } from '../../src/db/sql.ts'
import { rotateChaves } from '../../src/domain/keys/keys.ts'
import { PASSWORD, type Person, testApp } from '../harness/app.ts'

const t = await testApp()
after(() => t.close())
const other = await testApp({ database: t.database, dataKey: t.dataKey })
after(() => other.close())

const jwks = async (app = t) => (await app.anonymous.get('/.well-known/jwks.json')).body
const kids = async (app = t) => (await jwks(app)).keys.map(({ kid }: { kid: string }) => kid)
const rotate = () => rotateChaves(t.app)
/** Both instances live in the same time. */
function advance(ms: number): void {
  for (const app of [t, other]) app.clock.advance(ms)
}
const logIn = async ({ email }: Person, app = t): Promise<string> =>
  (await app.anonymous.post('/auth/login', { email, senha: PASSWORD })).body.access_token
const works = async (token: string, app = t) =>
  (await app.as({ id: 0, email: '', token }).get('/usuarios/logado')).status === 200

/** What a stranger can do who knows nothing but the public keys. */
const verifiedBy = async (keys: Parameters<typeof createLocalJWKSet>[0], token: string) =>
  jwtVerify(token, createLocalJWKSet(keys), {
    algorithms: ['EdDSA'],
    issuer: 'vigia',
    audience: 'vigia-api',
    typ: 'at+jwt',
    currentDate: t.clock.now(),
  })

describe('GET /.well-known/jwks.json', () => {
  it('is open to anyone and may be kept for five minutes', async () => {
    const { status, headers } = await t.anonymous.get('/.well-known/jwks.json')
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'public, max-age=300')
    assert.match(String(headers['content-type']), /^application\/json/)
  })

  it('shows each key with kid, algorithm and use, and the public half only', async () => {
    await rotate()
    advance(31_000)
    const { keys } = await jwks()
    assert.equal(keys.length, 2)
    for (const key of keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
      assert.deepEqual([key.alg, key.crv, key.kty, key.use], ['EdDSA', 'Ed25519', 'OKP', 'sig'])
      assert.equal(Buffer.from(key.x, 'base64url').length, 32)
    }
  })

  it('lets anybody verify a token, by a library that knows nothing of us', async () => {
    const ana = await t.person()
    const { payload, protectedHeader } = await verifiedBy(await jwks(), ana.token)
    assert.equal(payload.sub, String(ana.id))
    assert.equal(Number(payload.exp) - Number(payload.iat), 3600)
    assert.deepEqual((await kids())[0], protectedHeader.kid)
    const session = await t.database.pool.first(sql`select id from sessoes where usuario_id = ${ana.id}`)
    assert.deepEqual(session, { id: payload.sid })
    const [head, body, signature] = ana.token.split('.')
    await assert.rejects(verifiedBy(await jwks(), `${head}.${body}x.${signature}`))
  })

  it('is what a library finds over the network, too', async () => {
    const { token } = await t.person()
    const address = await t.server.listen({ port: 0, host: '127.0.0.1' })
    const remote = createRemoteJWKSet(new URL('/.well-known/jwks.json', address))
    await jwtVerify(token, remote, { currentDate: t.clock.now() })
  })
})

describe('a rotation of the keys', () => {
  it('is known to both instances within 30 s: new tokens carry the new key, and JWKS shows it', async () => {
    const ana = await t.person()
    const kid = await rotate()
    advance(30_100)
    assert.equal((await kids(other))[0], kid)
    assert.equal((await kids())[0], kid)
    for (const app of [t, other])
      assert.equal(decodeProtectedHeader(await logIn(ana, app)).kid, kid, 'the next login')
  })

  it('is shown by an instance that has had nothing else to do', async () => {
    const kid = await rotate()
    advance(30_100)
    assert.equal((await kids(other))[0], kid)
  })

  it('logs nobody out: the old token works on both until it expires, and refreshes to a new one', async () => {
    const ana = await t.person()
    const { body } = await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })
    const kid = await rotate()
    advance(3_000_000)
    assert.ok((await works(body.access_token)) && (await works(body.access_token, other)))
    await verifiedBy(await jwks(), body.access_token)
    const renewed = await other.anonymous.post('/auth/refresh', { refresh_token: body.refresh_token })
    assert.equal(decodeProtectedHeader(renewed.body.access_token).kid, kid)
    advance(601_000)
    assert.ok(!(await works(body.access_token)) && !(await works(body.access_token, other)))
    assert.ok((await works(renewed.body.access_token)) && (await works(renewed.body.access_token, other)))
  })

  it('lets a token of the new key work at once on an instance that has not heard of it', async () => {
    const ana = await t.person()
    advance(31_000)
    await kids()
    await kids(other)
    await rotate()
    advance(2_000)
    // A third instance, started just now, signs with the new key already.
    const third = await testApp({ database: t.database, dataKey: t.dataKey })
    third.clock.advance(t.clock.now().getTime() - Date.now())
    const token = await logIn(ana, third)
    assert.ok(await works(token, other))
    assert.ok(await works(token))
    await third.close()
  })

  it('withdraws older keys when a later one comes after the overlap, and JWKS no longer shows them', async () => {
    const before = await kids()
    advance(7_300_000)
    const kid = await rotate()
    advance(31_000)
    assert.deepEqual(await kids(), [kid, before[0]])
    assert.deepEqual(await kids(other), [kid, before[0]])
  })
})
