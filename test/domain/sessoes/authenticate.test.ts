import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { sql } from '../../../src/db/sql.ts'
import type { Keyring, SigningKey } from '../../../src/domain/keys/keys.ts'
import { createAccessTokens } from '../../../src/domain/sessoes/access-tokens.ts'
import { authenticate } from '../../../src/domain/sessoes/authenticate.ts'
import { testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

const key = { kid: 'nossa', jwk: {}, ...generateKeyPairSync('ed25519') }
const retired = { kid: 'anterior', jwk: {}, ...generateKeyPairSync('ed25519') }
const keyringOf = (...keys: SigningKey[]): Keyring => ({
  newest: () => keys[0] as SigningKey,
  all: () => keys,
  find: async (kid) => keys.find((one) => one.kid === kid) ?? null,
  reload: async () => {},
})
const accessTokens = createAccessTokens(keyringOf(key, retired), 'vigia', t.clock)
const origin = { endereco_ip: '127.0.0.1', agente: null, request_id: 'teste' }
const app = { ...t.app, accessTokens }

const pessoa = await t.person({ permissoes: ['grupos.listar'] })
const sessao = await t.database.pool.first<{ id: string }>(sql`
  select id from sessoes where usuario_id = ${pessoa.id}`)
const sid = sessao?.id as string

const now = () => Math.floor(t.clock.now().getTime() / 1000)
const good = () => ({
  claims: {
    sub: String(pessoa.id),
    sid,
    jti: randomUUID(),
    iss: 'vigia',
    aud: 'vigia-api',
    iat: now(),
    exp: now() + 60,
  } as Record<string, unknown>,
  header: { alg: 'EdDSA', typ: 'at+jwt', kid: 'nossa' } as Record<string, unknown>,
})

function signed(claims: object, header: object, { privateKey } = key): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader(header as { alg: string }).sign(privateKey)
}

describe('authenticate', () => {
  it('accepts a token that our key signed for a live session', async () => {
    const { claims, header } = good()
    const caller = await authenticate(app, await signed(claims, header), origin)
    assert.deepEqual([caller?.id, caller?.sessao_id, caller?.holdsAll], [pessoa.id, sid, false])
    assert.deepEqual([...(caller?.permissoes ?? [])], ['grupos.listar'])
  })

  it('accepts what it signs itself, and an older key of ours', async () => {
    const subject = { usuario_id: pessoa.id, sessao_id: sid }
    const own = await accessTokens.sign(subject, { jti: 'um', issuedAt: t.clock.now() })
    assert.ok(await authenticate(app, own, origin))
    const { claims, header } = good()
    assert.ok(await authenticate(app, await signed(claims, { ...header, kid: 'anterior' }, retired), origin))
  })

  for (const [what, change] of [
    ['another issuer', { claims: { iss: 'outro' } }],
    ['no issuer', { claims: { iss: undefined } }],
    ['another audience', { claims: { aud: 'outra-api' } }],
    ['no audience', { claims: { aud: undefined } }],
    ['another type', { header: { typ: 'JWT' } }],
    ['no type', { header: { typ: undefined } }],
    ['no session', { claims: { sid: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['no expiry', { claims: { exp: undefined } }],
    ['no time of issue', { claims: { iat: undefined } }],
    ['no id', { claims: { jti: undefined } }],
    ['an expiry in the past', { claims: { exp: now() - 1 } }],
    ['a beginning in the future', { claims: { nbf: now() + 60 } }],
    ['the name of another key of ours', { header: { kid: 'anterior' } }],
    ['the name of a key that is not ours', { header: { kid: 'nenhuma' } }],
    ['no name of a key', { header: { kid: undefined } }],
    ['a session that does not exist', { claims: { sid: randomUUID() } }],
    ['the session of someone else', { claims: { sub: '1' } }],
  ] as [string, { claims?: object; header?: object }][])
    it(`refuses a token with ${what}, though our key signed it`, async () => {
      const { claims, header } = good()
      const token = await signed({ ...claims, ...change.claims }, { ...header, ...change.header })
      assert.equal(await authenticate(app, token, origin), null)
    })

  it('refuses a token of before when its key is withdrawn', async () => {
    const { claims, header } = good()
    const token = await signed(claims, { ...header, kid: 'anterior' }, retired)
    const without = { ...app, accessTokens: createAccessTokens(keyringOf(key), 'vigia', t.clock) }
    assert.equal(await authenticate(without, token, origin), null)
  })
})
