import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ADMIN_EMAIL, PASSWORD, testApp } from '../harness/app.ts'

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()
const groups = async () => (await t.as(admin).get('/grupos')).body.grupos
const before = await groups()

function post(payload: string | Buffer | undefined, type: string | null = 'application/json') {
  return t.as(admin).request('POST', '/grupos', {
    ...(payload !== undefined && { payload }),
    headers: type === null ? {} : { 'content-type': type },
  })
}

const MiB = 1024 * 1024
/** A valid group of exactly this many bytes: what is not known of it is ignored. */
const groupOf = (bytes: number) => {
  const start = '{"nome":"grande","resto":"'
  return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
}
const nested = (depth: number) => `{"nome":"fundo","resto":${'['.repeat(depth)}${']'.repeat(depth)}}`

describe('A JSON body that is refused creates nothing', () => {
  const REFUSED: [what: string, payload: string | Buffer | undefined, type: string | null, code: string][] = [
    ['over 1 MiB', groupOf(MiB + 1), 'application/json', '413 PAYLOAD_TOO_LARGE'],
    ['of text', 'nome=a', 'text/plain', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['of a form', 'nome=a', 'application/x-www-form-urlencoded', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['of another JSON', '{"nome":"a"}', 'application/merge-patch+json', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['of an unreadable type', '{"nome":"a"}', ';;', '415 UNSUPPORTED_MEDIA_TYPE'],
    ['of no type', '{"nome":"a"}', null, '415 UNSUPPORTED_MEDIA_TYPE'],
    ['cut off', '{"nome":', 'application/json', '400 MALFORMED_REQUEST'],
    ['with something after it', '{"nome":"a"} {}', 'application/json', '400 MALFORMED_REQUEST'],
    ['with single quotes', "{'nome':'a'}", 'application/json', '400 MALFORMED_REQUEST'],
    ['of blanks', '  ', 'application/json', '400 MALFORMED_REQUEST'],
    [
      'with __proto__',
      '{"nome":"a","__proto__":{"admin":true}}',
      'application/json',
      '400 MALFORMED_REQUEST',
    ],
    [
      'with __proto__ inside',
      '{"nome":"a","x":{"__proto__":{}}}',
      'application/json',
      '400 MALFORMED_REQUEST',
    ],
    [
      'with an escaped __proto__',
      '{"nome":"a","\\u005f_proto__":{}}',
      'application/json',
      '400 MALFORMED_REQUEST',
    ],
    [
      'with constructor.prototype',
      '{"nome":"a","constructor":{"prototype":{}}}',
      'application/json',
      '400 MALFORMED_REQUEST',
    ],
    ['nested 65 levels deep', nested(64), 'application/json', '400 MALFORMED_REQUEST'],
    ['nested very deeply', nested(20_000), 'application/json', '400 MALFORMED_REQUEST'],
    ['that is a list', '[{"nome":"a"}]', 'application/json', '422 VALIDATION_ERROR'],
    ['that is null', 'null', 'application/json', '422 VALIDATION_ERROR'],
    ['that is a number', '1', 'application/json', '422 VALIDATION_ERROR'],
    ['that is a text', '"nome"', 'application/json', '422 VALIDATION_ERROR'],
    ['that is empty', '', 'application/json', '422 VALIDATION_ERROR'],
    ['that is absent', undefined, 'application/json', '422 VALIDATION_ERROR'],
    ['that is absent with its type', undefined, null, '422 VALIDATION_ERROR'],
    ['without its fields', '{}', 'application/json', '422 VALIDATION_ERROR'],
  ]
  for (const [what, payload, type, expected] of REFUSED)
    it(`a body ${what} is ${expected}`, async () => {
      const { status, body } = await post(payload, type)
      assert.equal(`${status} ${body.error.code}`, expected)
      assert.deepEqual(await groups(), before)
    })

  it('too deep a body is told why, in the language asked for', async () => {
    const messages = ['pt-BR', 'en-US', 'es-ES'].map(async (language) => {
      const headers = { 'content-type': 'application/json', 'accept-language': language }
      const { body } = await t.as(admin).request('POST', '/grupos', { payload: nested(64), headers })
      return body.error.details
    })
    const told = (message: string) => [{ field: '', message, code: 'TOO_DEEP' }]
    assert.deepEqual(await Promise.all(messages), [
      told('Aninhado demais; no máximo 64 níveis'),
      told('Nested too deeply; at most 64 levels'),
      told('Anidado en exceso; como máximo 64 niveles'),
    ])
  })

  const WRONG_TYPES = [1, true, null, ['a'], { a: 1 }]
  for (const nome of WRONG_TYPES)
    it(`values are not converted: ${JSON.stringify(nome)} is no text`, async () => {
      const { status, body } = await post(JSON.stringify({ nome }))
      assert.equal(status, 422)
      assert.deepEqual(body.error.details[0].field, 'nome')
      assert.equal(body.error.details[0].code, 'INVALID_TYPE')
      assert.deepEqual(await groups(), before)
    })

  const UNSTORABLE = ['a\\u0000b', '\\ud800', '\\udc00a']
  for (const descricao of UNSTORABLE)
    it(`text that PostgreSQL cannot store is refused: "${descricao}"`, async () => {
      const { status, body } = await post(`{"nome":"a","descricao":"${descricao}"}`)
      assert.equal(status, 422)
      assert.equal(body.error.details[0].field, 'descricao')
      assert.deepEqual(await groups(), before)
    })

  it('all problems are told at once, each with its field, and at most 100 of them', async () => {
    const { body } = await post(JSON.stringify({ descricao: 1, ativo: 'sim', permissoes_ids: [1, 'x', 0] }))
    assert.deepEqual(
      body.error.details.map((d: { field: string; code: string }) => `${d.field} ${d.code}`).sort(),
      [
        'ativo INVALID_TYPE',
        'descricao INVALID_TYPE',
        'nome REQUIRED',
        'permissoes_ids.1 INVALID_TYPE',
        'permissoes_ids.2 TOO_SMALL',
      ],
    )
    const many = await post(JSON.stringify({ nome: 'a', permissoes_ids: Array(400).fill('x') }))
    assert.equal(many.body.error.details.length, 100)
    assert.deepEqual(await groups(), before)
  })
})

describe('A JSON body is accepted', () => {
  const ACCEPTED: [what: string, payload: string, type: string][] = [
    ['of exactly 1 MiB', groupOf(MiB), 'application/json'],
    ['with a charset', '{"nome":"charset"}', 'application/json; charset=utf-8'],
    ['with a type in capitals', '{"nome":"capitais"}', 'Application/JSON'],
    ['with unknown fields, which are ignored', '{"nome":"extra","id":1,"padrao":true}', 'application/json'],
    ['with a field called constructor', '{"nome":"nomes","constructor":1}', 'application/json'],
    ['nested 64 levels deep', nested(63), 'application/json'],
    [
      'with brackets in its texts',
      JSON.stringify({ nome: 'colchetes', resto: `\\"${'['.repeat(100)}` }),
      'application/json',
    ],
    [
      'with many lists beside each other',
      JSON.stringify({ nome: 'largo', resto: Array(200).fill([{}]) }),
      'application/json',
    ],
  ]
  for (const [what, payload, type] of ACCEPTED)
    it(what, async () => {
      const { status, body } = await post(payload, type)
      assert.equal(status, 201)
      assert.equal(({} as Record<string, unknown>).admin, undefined)
      assert.equal((await t.as(admin).delete(`/grupos/${body.id}`)).status, 204)
    })
})

describe('A route without a body', () => {
  it('takes an empty one, whatever its type says', async () => {
    const headers = { 'content-type': 'application/json' }
    const path = `/grupos/2/usuarios/${admin.id}`
    assert.equal((await t.as(admin).request('POST', path, { headers, payload: '' })).status, 200)
    assert.equal((await t.as(admin).delete(path, { headers })).status, 204)
  })
})

describe('A form body', () => {
  const form = 'application/x-www-form-urlencoded'
  const logIn = (payload: string, type = form) =>
    t.anonymous.request('POST', '/usuarios/login_sw', { payload, headers: { 'content-type': type } })
  const credentials = new URLSearchParams({
    username: ADMIN_EMAIL,
    password: PASSWORD,
    grant_type: 'password',
  })

  it('is the OAuth 2.0 password grant', async () => {
    const { status, body } = await logIn(`${credentials}`)
    assert.equal(status, 200)
    assert.equal(body.token_type, 'bearer')
  })

  const REFUSED: [payload: string, type: string, status: number][] = [
    [JSON.stringify({ username: ADMIN_EMAIL, password: PASSWORD }), 'application/json', 415],
    ['', form, 422],
    ['username=a', form, 422],
    ['username=a&password=', form, 422],
    ['username=%00&password=b', form, 422],
    ['__proto__=a&constructor=b', form, 422],
    [`username=a&password=${'b'.repeat(MiB)}`, form, 413],
  ]
  for (const [payload, type, expected] of REFUSED)
    it(`"${payload.slice(0, 30)}" as ${type} is ${expected}`, async () => {
      const { status, body } = await logIn(payload, type)
      assert.equal(status, expected)
      // Description A: validation failures have a form of their own, everything else is the envelope.
      assert.deepEqual(Object.keys(body), [expected === 422 ? 'detail' : 'error'])
    })
})
