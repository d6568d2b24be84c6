import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { type Answer, PASSWORD, testApp } from '../harness/app.ts'
import { cookieHeader, cookieIn, OWN_PAGE, openConsole } from '../harness/console.ts'
import { MULTIPART, multipart } from '../harness/multipart.ts'

/** Which requests may come with the cookie of the console, by their headers alone: what a browser adds is not asked here. */
const t = await testApp({ env: { PUBLIC_URL: 'https://vigia.example' } })
after(() => t.close())

const ana = await t.person({ permissoes: ['grupos.listar', 'grupos.criar', 'agravos.importar'] })
const browser = await openConsole(t, ana.email)
const cookie = cookieHeader(browser.value() as string)
const SITE = { 'sec-fetch-site': 'same-origin' }
const MARK = { 'x-vigia-console': '1' }

type Headers = Record<string, string>
const get = (headers: Headers) => t.anonymous.get('/grupos', { headers: { cookie, ...headers } })
let groups = 0
const post = (headers: Headers) =>
  t.anonymous.post('/grupos', { nome: `grupo_${++groups}` }, { headers: { cookie, ...headers } })
const countOf = async (table: 'grupos' | 'sessoes') =>
  (
    await t.database.pool.one<{ total: number }>(
      table === 'grupos'
        ? sql`select count(*) as total from grupos`
        : sql`select count(*) as total from sessoes where encerrada_em is null`,
    )
  ).total

async function refusedUnchanged(send: () => Promise<Answer>, status: number): Promise<void> {
  const before = [await countOf('grupos'), await countOf('sessoes')]
  const answer = await send()
  assert.equal(answer.status, status, answer.text)
  assert.equal(cookieIn(answer), undefined)
  assert.deepEqual([await countOf('grupos'), await countOf('sessoes')], before)
}

describe('a reading with the cookie', () => {
  for (const [what, headers] of [
    ['says that it comes from our origin', SITE],
    ['has an Origin of ours where the browser does not say', { origin: 'https://vigia.example' }],
    ['has the Origin of the host it asks', { origin: 'https://10.0.0.7:8443', host: '10.0.0.7:8443' }],
    ['has the header of the console too', { ...SITE, ...MARK }],
  ] as [string, Headers][])
    it(`counts if it ${what}`, async () => {
      assert.equal((await get(headers)).status, 200)
      const head = await t.anonymous.request('HEAD', '/grupos', { headers: { cookie, ...headers } })
      assert.equal(head.status, 200)
    })

  for (const [what, headers] of [
    ['says nothing of its origin', {}],
    ['has only the header of the console', MARK],
    ['comes from the address bar or a bookmark', { 'sec-fetch-site': 'none' }],
    ['comes from another origin of our site', { 'sec-fetch-site': 'same-site' }],
    ['comes from another site', { 'sec-fetch-site': 'cross-site' }],
    ['says it twice', { 'sec-fetch-site': 'same-origin, same-origin' }],
    ['says it in other letters', { 'sec-fetch-site': 'Same-Origin' }],
    ['says it empty', { 'sec-fetch-site': '' }],
    ['says empty, with our Origin', { 'sec-fetch-site': '', origin: 'https://vigia.example' }],
    [
      'has our Origin but says another site',
      { 'sec-fetch-site': 'cross-site', origin: 'https://vigia.example' },
    ],
    ['has a foreign Origin', { origin: 'https://mau.example' }],
    ['has the Origin null', { origin: 'null' }],
    ['has our Origin without TLS', { origin: 'http://vigia.example' }],
    ['has our Origin on another port', { origin: 'https://vigia.example:8443' }],
    ['has an Origin that begins like ours', { origin: 'https://vigia.example.mau.example' }],
    ['has an Origin that ends like ours', { origin: 'https://mau-vigia.example' }],
    ['has two Origins', { origin: 'https://vigia.example, https://mau.example' }],
    ['has a Referer of ours only', { referer: 'https://vigia.example/painel' }],
    [
      'names a host in a header of no proxy',
      { origin: 'https://mau.example', 'x-forwarded-host': 'mau.example' },
    ],
  ] as [string, Headers][])
    it(`is 401 if it ${what}`, async () => {
      const answer = await get(headers)
      assert.deepEqual([answer.status, answer.body.error.code], [401, 'UNAUTHORIZED'])
      await refusedUnchanged(() => post({ ...MARK, ...headers }), 401)
    })
})

describe('a change with the cookie', () => {
  it('needs the header of the console as well', async () => {
    assert.equal((await post({ ...SITE, ...MARK })).status, 201)
    for (const headers of [
      SITE,
      { ...SITE, 'x-vigia-console': '' },
      { ...SITE, 'x-vigia-console': '0' },
      { ...SITE, 'x-vigia-console': 'true' },
      { ...SITE, 'x-vigia-console': '1, 1' },
      { ...SITE, 'x-vigia': '1' },
      { origin: 'https://vigia.example' },
    ] as Headers[])
      await refusedUnchanged(() => post(headers), 401)
  })

  /** All that a page can send elsewhere without a preflight. */
  const FORMS: [what: string, type: string, payload: string | Buffer][] = [
    ['a form', 'application/x-www-form-urlencoded', 'nome=mau'],
    ['a form of plain text', 'text/plain', '{"nome":"mau","x":"="}'],
    ['a form with files', MULTIPART['content-type'], multipart({ field: 'nome', content: 'mau' })],
    ['JSON under a false type', 'text/plain;application/json', '{"nome":"mau"}'],
  ]
  for (const [what, type, payload] of FORMS)
    it(`is 401 as ${what}, whatever site it says, before the body is looked at`, async () => {
      for (const site of ['cross-site', 'same-site', 'none', 'same-origin', undefined])
        for (const [method, path] of [
          ['POST', '/grupos'],
          ['POST', '/auth/logout'],
          ['POST', '/auth/mfa/enable'],
          ['POST', '/agravos/casos/bulk'],
        ] as const)
          await refusedUnchanged(
            () =>
              t.anonymous.request(method, path, {
                payload,
                headers: { cookie, 'content-type': type, ...(site && { 'sec-fetch-site': site }) },
              }),
            401,
          )
    })

  it('is 401 in the clothes of a reading: no method is overridden', async () => {
    for (const path of ['/auth/sessao', '/auth/sessao?_method=DELETE'])
      await refusedUnchanged(
        () =>
          t.anonymous.post(
            path,
            {},
            {
              headers: { cookie, ...SITE, 'x-http-method-override': 'DELETE' },
            },
          ),
        403,
      )
    assert.equal((await get(SITE)).status, 200)
  })
})

describe('the cookie with an Authorization header', () => {
  it('does not count, whatever the header holds', async () => {
    for (const authorization of ['', 'Bearer ', 'Bearer x', 'Basic YTpi', 'x'])
      await refusedUnchanged(() => get({ ...OWN_PAGE, authorization }), 401)
  })

  it('leaves the request to the account of the token', async () => {
    const bia = await t.person()
    const answer = await t.as(bia).get('/usuarios/me', { headers: { cookie, ...OWN_PAGE } })
    assert.deepEqual([answer.status, answer.body.id], [200, bia.id])
    await refusedUnchanged(() => t.as(bia).delete('/auth/sessao', { headers: { cookie, ...OWN_PAGE } }), 401)
    assert.equal((await t.as(bia).get('/grupos', { headers: { cookie, ...OWN_PAGE } })).status, 403)
  })
})

describe('a login of the console', () => {
  const body = { email: ana.email, senha: PASSWORD }
  const login = (headers: Headers, path = '/auth/sessao') => t.anonymous.post(path, body, { headers })

  it('is 403 from elsewhere, before the body is looked at, and counts no failure', async () => {
    for (const headers of [
      {},
      SITE,
      MARK,
      { ...MARK, 'sec-fetch-site': 'same-site' },
      { ...MARK, 'sec-fetch-site': 'cross-site' },
      { ...MARK, 'sec-fetch-site': 'none' },
      { ...MARK, origin: 'https://mau.example' },
      { ...MARK, origin: 'null' },
    ] as Headers[]) {
      await refusedUnchanged(() => login(headers), 403)
      const broken = await t.anonymous.request('POST', '/auth/sessao', {
        payload: '{',
        headers: { 'content-type': 'application/json', ...headers },
      })
      assert.deepEqual([broken.status, broken.body.error.code], [403, 'CONSOLE_ONLY'])
    }
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
      await refusedUnchanged(
        () =>
          t.anonymous.request('POST', '/auth/sessao', {
            payload: `email=${ana.email}&senha=${PASSWORD}`,
            headers: { 'content-type': type },
          }),
        403,
      )
  })

  it('takes JSON only', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
      await refusedUnchanged(
        () =>
          t.anonymous.request('POST', '/auth/sessao', {
            payload: JSON.stringify(body),
            headers: { ...OWN_PAGE, 'content-type': type },
          }),
        415,
      )
  })

  it('says so in the language of the client', async () => {
    const texts = new Set<string>()
    for (const language of ['pt-BR', 'en-US', 'es-ES'])
      texts.add((await login({ 'accept-language': language })).body.error.message)
    assert.equal(texts.size, 3)
  })
})

describe('CORS', () => {
  it('allows any origin, never credentials, and never the header of the console', async () => {
    for (const path of ['/auth/sessao', '/grupos', '/usuarios/me', '/auth/logout']) {
      const { status, headers } = await t.anonymous.request('OPTIONS', path, {
        headers: {
          cookie,
          origin: 'https://mau.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-vigia-console,content-type',
          'sec-fetch-site': 'cross-site',
        },
      })
      assert.equal(status, 204)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.doesNotMatch(String(headers['access-control-allow-headers']), /console|\*/i)
    }
    const answer = await get(SITE)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    assert.doesNotMatch(String(answer.headers['access-control-expose-headers']), /cookie/i)
  })

  it('keeps what the console reads from being embedded elsewhere', async () => {
    assert.equal((await get(SITE)).headers['cross-origin-resource-policy'], 'same-origin')
    const byToken = await t.as(ana).get('/grupos')
    assert.equal(byToken.headers['cross-origin-resource-policy'], 'cross-origin')
  })
})
