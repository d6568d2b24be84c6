import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'
import { CLIENT_ID, CLIENT_SECRET, providerRow, ssoBrowser } from '../../harness/oidc.ts'

/** A provider that somebody else wrote, and that is certified: what ours makes of the protocol is not what ours expects of it. */
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const t = await testApp({
  env: {
    PUBLIC_URL: 'https://vigia.test',
    OIDC_PROVIDERS: JSON.stringify([providerRow('certo', issuer)]),
  },
})
const ana = await t.person({ grupos: ['analista'] })
const { privateKey } = await generateKeyPair('ES256', { extractable: true })
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: ['https://vigia.test/entrar/oidc/certo/retorno'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'es' }] },
  cookies: { keys: ['chave dos cookies dos testes'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  pkce: { required: () => true },
  findAccount: (_context: unknown, id: string) => ({
    accountId: id,
    claims: async () => ({ sub: id, email: ana.email, email_verified: true, name: 'Ana' }),
  }),
  features: { devInteractions: { enabled: true } },
})
server.on('request', provider.callback())
after(async () => {
  await t.close()
  server.closeAllConnections()
  server.close()
})

/** A person at the pages of the provider: keeps cookies, signs in, agrees; the address that leads back to the service. */
async function consentAt(authorization: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = authorization
  let form: URLSearchParams | null = null
  for (let step = 0; step < 12; step++) {
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== null && { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    form = null
    const location = response.headers.get('location')
    if (location?.startsWith('https://vigia.test/')) return location
    if (location !== null) {
      url = new URL(location, url).href
      continue
    }
    const page = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    const action = /action="([^"]+)"/.exec(page)?.[1]
    assert.ok(prompt && action, `${response.status} ${page.slice(0, 300)}`)
    url = new URL(action, url).href
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: 'pessoa-1', password: 'x' }) })
  }
  return assert.fail('the provider never leads back')
}

describe('Single sign-on at oidc-provider', () => {
  it('signs in from the button to the session, claims by the user info, and again by the subject', async () => {
    for (const round of ['first', 'second']) {
      const browser = ssoBrowser(t)
      const back = await consentAt(await browser.begin('certo', '/casos'))
      const { status, location } = await browser.go(back)
      assert.deepEqual([status, location], [302, '/casos'], `${round} ${t.logs.at(-2)}`)
      assert.equal((await browser.send('GET', '/usuarios/me')).body.id, ana.id)
      assert.equal((await browser.go(back)).location, '/entrar?erro=tentativa_invalida', 'once')
    }
    const rows = await t.database.pool.rows(sql`select from identidades where usuario_id = ${ana.id}`)
    assert.equal(rows.length, 1)
  })

  it('is told that somebody went back at the provider', async () => {
    const browser = ssoBrowser(t)
    const authorization = new URL(await browser.begin('certo'))
    authorization.searchParams.set('prompt', 'none')
    const response = await fetch(authorization, { redirect: 'manual' })
    const { location } = await browser.go(response.headers.get('location') ?? '')
    assert.equal(location, '/entrar?erro=recusado_pelo_provedor')
  })
})
