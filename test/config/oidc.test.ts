import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig, StartupError } from '../../src/config/config.ts'

const SECRET = 'um-segredo-que-nao-se-mostra'
const GOOD = {
  id: 'govbr',
  nome: 'gov.br',
  issuer: 'https://sso.example/realms/saude',
  client_id: 'vigia',
  client_secret: SECRET,
  vincular: ['email'],
}
const read = (providers: unknown, env: Record<string, string> = {}) =>
  readConfig({
    OIDC_PROVIDERS: typeof providers === 'string' ? providers : JSON.stringify(providers),
    ...env,
  }).oidcProvedores

function refusal(providers: unknown, env?: Record<string, string>): string {
  try {
    read(providers, env)
  } catch (error) {
    assert.ok(error instanceof StartupError)
    assert.ok(!error.message.includes(SECRET), 'no value is shown')
    return error.message
  }
  return assert.fail('the start is refused')
}

describe('OIDC_PROVIDERS', () => {
  it('is empty by default', () => {
    assert.deepEqual(readConfig({}).oidcProvedores, [])
  })

  it('fills in what may be left out', () => {
    assert.deepEqual(read([GOOD]), [
      {
        ...GOOD,
        escopos: ['openid', 'email', 'profile'],
        claim_cpf: null,
        criar: null,
        grupos: null,
        confia_mfa: false,
      },
    ])
  })

  it('takes every setting, and always asks for openid', () => {
    const all = {
      ...GOOD,
      escopos: ['email'],
      vincular: ['cpf', 'email'],
      claim_cpf: 'cpf',
      criar: { grupos: ['usuario'] },
      grupos: { claim: 'groups', mapa: { epi: 'analista' } },
      confia_mfa: true,
    }
    assert.deepEqual(read([all]), [{ ...all, escopos: ['openid', 'email'] }])
  })

  it('takes plain HTTP to this machine only, outside production', () => {
    const local = { ...GOOD, issuer: 'http://127.0.0.1:9000' }
    assert.equal(read([local])[0]?.issuer, local.issuer)
    assert.match(
      refusal([local], { AMBIENTE: 'production' }),
      /\[0\]\.issuer must be a URL that begins with https/,
    )
    assert.match(refusal([{ ...GOOD, issuer: 'http://sso.example' }]), /\[0\]\.issuer/)
  })

  it('needs the public address in production', () => {
    assert.match(refusal([GOOD], { AMBIENTE: 'production' }), /PUBLIC_URL for OIDC_PROVIDERS/)
  })

  const WRONG: [string, unknown, RegExp][] = [
    ['text that is no JSON', `[{"client_secret": "${SECRET}"`, /must be a list in JSON/],
    ['no list', { client_secret: SECRET }, /must be a list in JSON/],
    ['no objects', [SECRET], /\[0\] must be an object/],
    ['nine', Array.from({ length: 9 }, (_, i) => ({ ...GOOD, id: `p${i}` })), /at most 8/],
    ['an id twice', [GOOD, GOOD], /an id twice/],
    ['an unknown field', [{ ...GOOD, [SECRET]: 1 }], /unknown field/],
    ['no id', [{ ...GOOD, id: undefined }], /\[0\]\.id must be a text/],
    ['an id that is no part of an address', [{ ...GOOD, id: 'Gov/Br' }], /\[0\]\.id must be of lower-case/],
    ['no name', [{ ...GOOD, nome: ' ' }], /\[0\]\.nome must be a text of 1 to 60/],
    ['an issuer with a password', [{ ...GOOD, issuer: `https://a:${SECRET}@sso.example` }], /\[0\]\.issuer/],
    ['a secret that is a number', [{ ...GOOD, client_secret: 7 }], /\[0\]\.client_secret/],
    ['scopes with blanks', [{ ...GOOD, escopos: ['a b'] }], /\[0\]\.escopos/],
    ['no way to link', [{ ...GOOD, vincular: undefined }], /\[0\]\.vincular must be a list/],
    ['an unknown way to link', [{ ...GOOD, vincular: ['telefone'] }], /\[0\]\.vincular/],
    ['a CPF without its claim', [{ ...GOOD, vincular: ['cpf'] }], /\[0\]\.claim_cpf must name/],
    ['creation without groups', [{ ...GOOD, criar: true }], /\[0\]\.criar must be/],
    ['a map that is none', [{ ...GOOD, grupos: { claim: 'g', mapa: ['a'] } }], /\[0\]\.grupos must be/],
    ['trust that is a text', [{ ...GOOD, confia_mfa: 'sim' }], /\[0\]\.confia_mfa/],
  ]
  for (const [name, providers, message] of WRONG)
    it(`refuses ${name}, without showing a value`, () => {
      assert.match(refusal(providers), message)
    })

  it('tells every problem at once', () => {
    const message = refusal([
      { ...GOOD, nome: '', vincular: 1 },
      { ...GOOD, id: '' },
    ])
    for (const part of ['[0].nome', '[0].vincular', '[1].id']) assert.ok(message.includes(part), part)
  })
})
