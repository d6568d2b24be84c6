import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, describe, it } from 'node:test'
import { type Answer, testApp } from '../harness/app.ts'
import { cpuMs } from '../harness/cpu.ts'

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()
const nobody = await t.person()

const JSON_BODY = { 'content-type': 'application/json' }
const OVER_LIMIT = JSON.stringify({ nome: 'x'.repeat(1024 * 1024) })

/** One request for every kind of answer there is. */
const EVERY_KIND: [
  name: string,
  status: number,
  send: (headers: Record<string, string>) => Promise<Answer>,
][] = [
  ['a reading', 200, (headers) => t.as(admin).get('/grupos', { headers })],
  ['an open route', 200, (headers) => t.anonymous.get('/health', { headers })],
  ['a HEAD', 200, (headers) => t.as(admin).request('HEAD', '/grupos', { headers })],
  ['a preflight', 204, (headers) => t.anonymous.request('OPTIONS', '/grupos', { headers })],
  ['a bad URL', 400, (headers) => t.as(admin).get('/grupos/%zz', { headers })],
  ['bad JSON', 400, (headers) => postText('{', headers)],
  ['no token', 401, (headers) => t.anonymous.get('/grupos', { headers })],
  ['no permission', 403, (headers) => t.as(nobody).get('/grupos', { headers })],
  ['an unknown route', 404, (headers) => t.anonymous.get('/nada', { headers })],
  ['a missing record', 404, (headers) => t.as(admin).get('/grupos/999999', { headers })],
  ['another method', 405, (headers) => t.as(admin).delete('/grupos', { headers })],
  ['too large a body', 413, (headers) => postText(OVER_LIMIT, headers)],
  ['another media type', 415, (headers) => postText('a', { ...headers, 'content-type': 'text/plain' })],
  ['invalid data', 422, (headers) => postText('{}', headers)],
  ["invalid data in A's form", 422, (headers) => t.anonymous.post('/usuarios/login', {}, { headers })],
]

function postText(payload: string, headers: Record<string, string> = {}): Promise<Answer> {
  return t.as(admin).request('POST', '/grupos', { payload, headers: { ...JSON_BODY, ...headers } })
}

describe('X-Request-ID', () => {
  for (const [name, status, send] of EVERY_KIND)
    it(`is echoed on ${name} (${status})`, async () => {
      const answer = await send({ 'x-request-id': 'pedido-42_a.b:c' })
      assert.equal(answer.status, status)
      assert.equal(answer.headers['x-request-id'], 'pedido-42_a.b:c')
      if (answer.body?.error) assert.equal(answer.body.error.request_id, 'pedido-42_a.b:c')
    })

  it('is made when absent, another for each request', async () => {
    const [one, two] = [await t.anonymous.get('/health'), await t.anonymous.get('/nada')]
    assert.match(String(one.headers['x-request-id']), /^[0-9a-f-]{36}$/)
    assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id'])
    assert.equal(two.body.error.request_id, two.headers['x-request-id'])
  })

  const UNUSABLE = ['', ' ', 'a b', 'ana@saude.example', 'x'.repeat(129), '"quoted"', 'é', '<script>', 'a,b']
  for (const id of UNUSABLE)
    it(`is replaced when it is unusable: ${JSON.stringify(id.slice(0, 20))}`, async () => {
      const { headers, body } = await t.anonymous.get('/nada', { headers: { 'x-request-id': id } })
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
      assert.equal(body.error.request_id, headers['x-request-id'])
      assert.ok(!t.logs.some((line) => id.trim() !== '' && line.includes(`"request_id":"${id}"`)))
    })

  it('of 128 characters is still usable', async () => {
    const id = 'x'.repeat(128)
    const { headers } = await t.anonymous.get('/health', { headers: { 'x-request-id': id } })
    assert.equal(headers['x-request-id'], id)
  })
})

describe('Headers of every answer', () => {
  for (const [name, status, send] of EVERY_KIND)
    it(`forbid caching, framing and sniffing, and allow any origin, on ${name} (${status})`, async () => {
      const { headers } = await send({ origin: 'https://painel.example' })
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['x-frame-options'], 'DENY')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
      assert.match(String(headers['strict-transport-security']), /^max-age=\d{8,}/)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['set-cookie'], undefined)
      assert.equal(headers['x-powered-by'], undefined)
      assert.equal(headers.server, undefined)
    })

  for (const [name, status, send] of EVERY_KIND)
    if (status >= 400)
      it(`and the envelope of errors with a JSON type on ${name} (${status})`, async () => {
        const { headers, body } = await send({})
        assert.equal(headers['content-type'], 'application/json; charset=utf-8')
        if (body.detail) return assert.deepEqual(Object.keys(body), ['detail'])
        assert.deepEqual(Object.keys(body), ['error'])
        assert.match(body.error.code, /^[A-Z_]+$/)
        assert.ok(body.error.message.length > 0)
        assert.ok(!Number.isNaN(Date.parse(body.error.timestamp)))
      })

  it('say how to authenticate when a token is missing', async () => {
    const { headers } = await t.anonymous.get('/grupos')
    assert.equal(headers['www-authenticate'], 'Bearer')
  })
})

describe('The bearer token', () => {
  const BAD: [string, string][] = [
    ['is absent', ''],
    ['has another scheme', `Basic ${Buffer.from('a:b').toString('base64')}`],
    ['is empty', 'Bearer '],
    ['is not a JWT', 'Bearer abc'],
    ['has a changed signature', `Bearer ${admin.token.slice(0, -4)}AAAA`],
    ['says that it needs no signature', `Bearer ${unsigned(admin.token)}`],
    ['is followed by something', `Bearer ${admin.token} x`],
  ]
  for (const [what, authorization] of BAD)
    it(`that ${what} is 401, before the body is looked at`, async () => {
      const answer = await t.anonymous.request('POST', '/grupos', {
        payload: '{',
        headers: { ...JSON_BODY, ...(authorization && { authorization }) },
      })
      assert.equal(answer.status, 401)
      assert.equal(answer.body.error.code, 'UNAUTHORIZED')
    })

  it('is accepted whatever the case of its scheme', async () => {
    const headers = { authorization: `bearer ${admin.token}` }
    assert.equal((await t.anonymous.get('/grupos', { headers })).status, 200)
  })

  it('without the permission is 403 with its name, before the body is looked at', async () => {
    const { status, body } = await t
      .as(nobody)
      .request('POST', '/grupos', { payload: '{', headers: JSON_BODY })
    assert.equal(status, 403)
    assert.equal(body.error.code, 'PERMISSION_DENIED')
    assert.equal(body.error.required_permission, 'grupos.criar')
  })
})

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}

type Paths = Record<string, Record<string, unknown>>
const paths = Object.entries(t.document.paths as Paths)
const concrete = (path: string) => path.replaceAll(/\{\w+\}/g, '1').replace('/api/v1', '')
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

describe('Methods', () => {
  for (const [path, operations] of paths) {
    // A pair of paths that only the final slash tells apart when reading is one path for everything else.
    const { get, ...others } = (t.document.paths as Paths)[path.replace(/\/$/, '')] ?? {}
    const pair = path.endsWith('/') ? { ...others, ...operations } : operations
    const own = METHODS.filter((method) => method.toLowerCase() in pair)
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS']

    it(`${path} answers 405 with Allow to what it does not have`, async () => {
      for (const method of [...METHODS, 'TRACE'].filter((name) => !own.includes(name))) {
        const { status, headers, body } = await t.anonymous.request(method, concrete(path))
        assert.equal(status, 405, method)
        assert.equal(body.error.code, 'METHOD_NOT_ALLOWED')
        assert.ok(!String(headers.allow).split(', ').includes(method), `${method} is not in Allow`)
        assert.deepEqual(sorted(String(headers.allow)), allow.toSorted(), method)
      }
    })

    it(`${path} answers a preflight without a token`, async () => {
      const { status, headers, text } = await t.anonymous.request('OPTIONS', concrete(path), {
        headers: {
          origin: 'https://painel.example',
          'access-control-request-method': own[0] as string,
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      assert.equal(status, 204)
      assert.equal(text, '')
      assert.equal(headers['access-control-allow-origin'], '*')
      // Spec, part 8.
      assert.equal(headers['access-control-allow-methods'], 'GET, POST, PUT, DELETE, OPTIONS')
      assert.equal(headers['access-control-allow-headers'], 'Content-Type, Authorization')
      assert.equal(headers['access-control-max-age'], '86400')
      assert.ok(String(headers.allow).includes('OPTIONS'))
    })
  }

  it('HEAD answers the headers of GET without its body', async () => {
    await t.server.listen({ host: '127.0.0.1', port: 0 })
    const expected = (await t.anonymous.get('/openapi.json')).headers['content-length']
    const known = await overTheWire('HEAD', '/api/v1/openapi.json')
    assert.deepEqual([known.status, known.length, known.body], [200, expected, ''])
    const unknown = await overTheWire('HEAD', '/api/v1/nada')
    assert.deepEqual([unknown.status, unknown.body], [404, ''])
    assert.equal((await overTheWire('HEAD', '/api/v1/auth/login')).status, 405)
  })

  it('another method changes nothing', async () => {
    const groups = async () => (await t.as(admin).get('/grupos')).body.grupos
    const before = await groups()
    assert.equal((await t.as(admin).delete('/grupos')).status, 405)
    assert.equal((await t.as(admin).put('/grupos', { nome: 'outro' })).status, 405)
    assert.deepEqual(await groups(), before)
  })
})

const sorted = (list: string) => list.split(', ').sort()

function overTheWire(method: string, path: string) {
  const { port } = t.server.server.address() as { port: number }
  return new Promise<{ status: number | undefined; length: string | undefined; body: string }>(
    (resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port, path, method }, async (response) => {
        const body = (await response.setEncoding('utf8').toArray()).join('')
        resolve({ status: response.statusCode, length: response.headers['content-length'], body })
      })
        .on('error', reject)
        .end()
    },
  )
}

describe('Paths', () => {
  const UNKNOWN = ['/', '/nada', '/../grupos', '/GRUPOS', '/grupos;a=1', '/grupos/1/nada', '//nada']
  for (const path of UNKNOWN)
    it(`${path} is 404`, async () => {
      const { status, body } = await t.as(admin).get(path)
      assert.equal(status, 404)
      assert.equal(body.error.code, 'NOT_FOUND')
    })

  const BAD = ['/grupos/%', '/grupos/%zz', '/grupos/%c3%28', '/%80', `/grupos/${'1'.repeat(5000)}`]
  for (const path of BAD)
    it(`${path.slice(0, 20)} is 400: it cannot be decoded or holds an endless name`, async () => {
      const { status, body } = await t.as(admin).get(path)
      assert.equal(status, 400)
      assert.equal(body.error.code, 'MALFORMED_REQUEST')
    })

  const NO_NUMBERS = [
    '0',
    '-1',
    '1.5',
    'x',
    '0x1',
    '1e0',
    '%201',
    'Infinity',
    'NaN',
    '%00',
    '2147483648',
    '__proto__',
  ]
  for (const id of NO_NUMBERS)
    it(`/grupos/${id} is 422: it is no identifier`, async () => {
      const { status, body } = await t.as(admin).get(`/grupos/${id}`)
      assert.equal(status, 422)
      assert.deepEqual(
        body.error.details.map((detail: { field: string }) => detail.field),
        ['id'],
      )
    })

  it('answer the same with and without a final slash', async () => {
    const plain = await t.as(admin).get('/grupos?size=2')
    const slashed = await t.as(admin).get('/grupos/?size=2')
    assert.equal(slashed.status, 200)
    assert.deepEqual(slashed.body.grupos, plain.body.grupos)
    assert.equal((await t.as(admin).get('/grupos/1/')).status, 200)
  })

  it('tell the two lists of permissions apart by their final slash', async () => {
    assert.ok(Array.isArray((await t.as(admin).get('/permissoes/')).body))
    assert.ok('categorias' in (await t.as(admin).get('/permissoes')).body)
  })

  it('of nothing but slashes are answered at once', async () => {
    const spent = await cpuMs(async () =>
      assert.equal((await t.anonymous.get(`/${'/'.repeat(60_000)}x/`)).status, 404),
    )
    assert.ok(spent < 1_000, `no quadratic work on the URL: ${spent} ms`)
  })

  it('that are very long are 404', async () => {
    assert.equal((await t.anonymous.get(`/${'x/'.repeat(7_000)}`)).status, 404)
  })
})

describe('Query parameters', () => {
  it('given twice are 422, except in the lists of `in`', async () => {
    const { status, body } = await t.as(admin).get('/grupos?page=1&page=2&nome=a&nome=b&search=a&search=b')
    assert.equal(status, 422)
    assert.deepEqual(
      body.error.details.map((d: { field: string; code: string }) => [d.field, d.code]),
      [
        ['page', 'INVALID_TYPE'],
        ['nome', 'INVALID_TYPE'],
        ['search', 'INVALID_TYPE'],
      ],
    )
    assert.equal((await t.as(admin).get('/grupos?id[in]=1&id[in]=2')).body.total, 2)
  })

  it('that the route does not know are ignored where there are no filters, whatever their name', async () => {
    for (const name of ['nada', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      for (const path of ['/grupos/1', '/usuarios/', '/agravos/tipos', '/permissoes'])
        assert.equal((await t.as(admin).get(`${path}?${name}=1`)).status, 200, `${path} ${name}`)
  })

  it('that cannot be decoded are taken as they are written', async () => {
    const { status, body } = await t.as(admin).get('/grupos?nome=%zz')
    assert.equal(status, 200)
    assert.equal(body.total, 0)
  })

  it('answer with all their problems at once', async () => {
    const { body } = await t.as(admin).get('/grupos?page=0&size=101&sort=senha&order=up&id=x&ativo[gt]=true')
    assert.deepEqual(
      body.error.details.map((d: { field: string; code: string }) => `${d.field} ${d.code}`),
      [
        'page TOO_SMALL',
        'size TOO_LARGE',
        'sort INVALID_VALUE',
        'order INVALID_VALUE',
        'id INVALID_TYPE',
        'ativo[gt] UNKNOWN_OPERATOR',
      ],
    )
  })
})
