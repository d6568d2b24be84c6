import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PASSWORD, testApp } from '../../harness/app.ts'
import { json, providerRow, ssoBrowser, trialProvider } from '../../harness/oidc.ts'

const NAMES = ['b', 'outro', 'fora', 'lento']
const provider = await trialProvider(NAMES)
const t = await testApp({
  env: {
    PUBLIC_URL: 'https://vigia.test',
    OIDC_PROVIDERS: JSON.stringify(
      NAMES.map((id) => providerRow(id, provider.issuers[id]?.issuer as string)),
    ),
  },
})
after(async () => {
  await t.close()
  await provider.close()
})

describe('A provider that is away', () => {
  const begin = async (id: string) => (await ssoBrowser(t).go(`/entrar/oidc/${id}`)).location

  it('is told before anybody leaves, and asked again the next time', async () => {
    provider.behave('fora', { discovery: (response) => response.writeHead(503).end() })
    assert.equal(await begin('fora'), '/entrar?erro=provedor_indisponivel')
    provider.behave('fora', {
      discovery: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    })
    assert.equal(await begin('fora'), '/entrar?erro=provedor_indisponivel')
    provider.behave('fora', {})
    assert.match(await begin('fora'), /^http:\/\/127\.0\.0\.1:\d+\/fora\/authorize\?/)
  })

  it('is refused where it names another issuer, or addresses of others without TLS', async () => {
    const issuer = provider.issuers.outro?.issuer as string
    const lie = (more: object) => ({
      discovery: (response: Parameters<typeof json>[0]) =>
        json(response, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          ...more,
        }),
    })
    provider.behave('outro', lie({ issuer: 'https://outro.example' }))
    assert.equal(await begin('outro'), '/entrar?erro=resposta_invalida')
    provider.behave('outro', lie({ token_endpoint: 'http://192.0.2.1/token' }))
    const browser = ssoBrowser(t)
    const back = provider.consent(await browser.begin('outro'))
    back.searchParams.delete('iss')
    assert.equal((await browser.go(back.href)).location, '/entrar?erro=provedor_indisponivel')
  })

  it('breaks nothing else while it hangs', async () => {
    provider.behave('lento', { discovery: () => {} })
    const slow = begin('lento')
    const ana = await t.person()
    assert.equal((await t.anonymous.get('/health')).status, 200)
    const login = await t.anonymous.post('/auth/login', { username: ana.email, password: PASSWORD })
    assert.equal(login.status, 200)
    const browser = ssoBrowser(t)
    provider.behave('b', { person: { sub: 'outra-pessoa', email: ana.email, email_verified: true } })
    const back = provider.consent(await browser.begin('b'))
    assert.equal((await browser.go(back.href)).location, '/painel')
    assert.equal(await slow, '/entrar?erro=provedor_indisponivel')
  })

  it('is not known by any other name', async () => {
    for (const id of ['nenhum', 'A', 'a%20b', 'a%00', 'a%2F'])
      assert.equal(await begin(id), '/entrar?erro=provedor_desconhecido', id)
  })
})

describe('The steps of the browser', () => {
  it('count against the limit of the address, as a login does', async () => {
    const limited = await testApp({
      database: t.database,
      dataKey: t.dataKey,
      env: {
        RATE_LIMITS: 'on',
        PUBLIC_URL: 'https://vigia.test',
        OIDC_PROVIDERS: JSON.stringify([providerRow('b', provider.issuers.b?.issuer as string)]),
      },
    })
    const login = await limited.anonymous.post('/auth/login', { username: 'x@teste.local', password: 'x' })
    const left = ({ headers }: { headers: Record<string, unknown> }) =>
      Number(headers['x-ratelimit-remaining'])
    const browser = ssoBrowser(limited)
    const begun = await browser.go('/entrar/oidc/b')
    const back = await browser.go('/entrar/oidc/b/retorno')
    assert.deepEqual([left(begun), left(back)], [left(login) - 1, left(login) - 2])
    await limited.close()
  })

  it('know no other method', async () => {
    for (const path of ['//entrar/oidc/b', '//entrar/oidc/b/retorno'])
      assert.equal((await t.anonymous.post(path, {})).status, 405)
  })
})

describe('The way back', () => {
  const WRONG = [
    'https://outro.example/',
    '//outro.example/painel',
    '/\\outro.example',
    'javascript:alert(1)',
    'painel',
    '/painel\r\nSet-Cookie: a=b',
    '/entrar',
    '/entrar/oidc/a',
    '/api/v1/usuarios/me',
    '/nenhuma-tela',
    `/casos?x=${'x'.repeat(2_000)}`,
  ]
  for (const volta of WRONG)
    it(`leads to the painel instead of ${JSON.stringify(volta.slice(0, 40))}`, async () => {
      const ana = await t.person()
      const browser = ssoBrowser(t)
      const url = await browser.begin('b', volta)
      provider.behave('b', { person: { sub: `volta-${ana.id}`, email: ana.email, email_verified: true } })
      const { location, headers } = await browser.go(provider.consent(url).href)
      assert.equal(location, '/painel')
      assert.doesNotMatch(String(headers['set-cookie']), /(?:^|,)a=b/)
    })
})
