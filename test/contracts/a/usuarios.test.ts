import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

const FORM = 'application/x-www-form-urlencoded'

interface Detail {
  loc: (string | number)[]
  msg: string
  type: string
}

/** Spec 2.3: the whole body is `{detail: [{loc, msg, type}]}`. Answers each as `loc.joined type`. */
function details(body: { detail: Detail[] }): string[] {
  assert.deepEqual(Object.keys(body), ['detail'])
  return body.detail.map((item) => {
    assert.deepEqual(Object.keys(item), ['loc', 'msg', 'type'])
    assert.ok(item.msg.length > 0)
    return `${item.loc.join('.')} ${item.type}`
  })
}

describe('POST /usuarios/login', () => {
  for (const [what, body, expected] of [
    ['nothing given', {}, ['body.email value_error.required', 'body.password value_error.required']],
    ['no password', { email: 'ana@saude.example' }, ['body.password value_error.required']],
    [
      'the fields of the other description',
      { username: 'ana@saude.example', senha: 'x' },
      ['body.email value_error.required', 'body.password value_error.required'],
    ],
    ['what is no email', { email: 'ana', password: 'x' }, ['body.email value_error.invalid_email']],
    [
      'an email without a dot',
      { email: 'ana@saude', password: 'x' },
      ['body.email value_error.invalid_email'],
    ],
    [
      'wrong types',
      { email: 1, password: true },
      ['body.email value_error.invalid_type', 'body.password value_error.invalid_type'],
    ],
    [
      'null',
      { email: null, password: null },
      ['body.email value_error.invalid_type', 'body.password value_error.invalid_type'],
    ],
    [
      'an empty password',
      { email: 'ana@saude.example', password: '' },
      ['body.password value_error.required'],
    ],
    [
      'a far too long password',
      { email: 'ana@saude.example', password: 'x'.repeat(1001) },
      ['body.password value_error.too_long'],
    ],
    [
      'the NUL character',
      { email: 'ana@saude.example', password: 'a\0' },
      ['body.password value_error.invalid_format'],
    ],
    [
      'several problems at once',
      { email: 'ana@', password: '' },
      ['body.email value_error.invalid_email', 'body.password value_error.required'],
    ],
    ['a list', [], ['body value_error.invalid_type']],
    ['a text', '"ana"', ['body value_error.invalid_type']],
  ] as [string, object | string, string[]][])
    it(`refuses ${what} in the form of the contract`, async () => {
      const headers = { 'content-type': 'application/json' }
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const { status, body: answer } = await t.anonymous.request('POST', '/usuarios/login', {
        headers,
        payload,
      })
      assert.equal(status, 422)
      assert.deepEqual(details(answer), expected)
    })

  it('refuses an email with the NUL character', async () => {
    const { status, body } = await t.anonymous.post('/usuarios/login', {
      email: 'a\0@b.example',
      password: 'x',
    })
    assert.equal(status, 422)
    assert.equal(details(body).length, 1)
  })

  it('says what is wrong in the language asked for', async () => {
    const messages = []
    for (const language of ['pt-BR', 'en-US', 'es-ES']) {
      const headers = { 'accept-language': language }
      const { body } = await t.anonymous.post('/usuarios/login', { email: 'a@b.example' }, { headers })
      messages.push(body.detail[0].msg)
    }
    assert.equal(messages[0], 'Campo obrigatório')
    assert.equal(new Set(messages).size, 3)
  })

  for (const [type, payload, status, code] of [
    [FORM, 'email=a@b.example&password=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/xml', '<email/>', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', '{"email"', 400, 'MALFORMED_REQUEST'],
  ] as const)
    it(`answers ${status} to ${payload} as ${type}, in the common envelope`, async () => {
      const headers = { 'content-type': type }
      const answer = await t.anonymous.request('POST', '/usuarios/login', { headers, payload })
      assert.deepEqual([answer.status, answer.body.error.code], [status, code])
    })
})

describe('POST /usuarios/login_sw', () => {
  const post = (payload: string, type = FORM) =>
    t.anonymous.request('POST', '/usuarios/login_sw', { headers: { 'content-type': type }, payload })

  it('takes the form of the OAuth 2.0 password grant, encoded as forms are', async () => {
    const { id, email } = await t.person()
    const senha_hash = await t.app.passwords.hash('Açaí +&=%1', null)
    await t.database.pool.run(sql`update usuarios set senha_hash = ${senha_hash} where id = ${id}`)
    const form = new URLSearchParams({
      grant_type: 'password',
      scope: '',
      username: email,
      password: 'Açaí +&=%1',
    })
    for (const type of [FORM, `${FORM}; charset=UTF-8`])
      assert.equal((await post(String(form), type)).status, 200)
  })

  for (const [payload, expected] of [
    ['', ['body.username value_error.required', 'body.password value_error.required']],
    ['username=ana', ['body.password value_error.required']],
    ['email=ana&senha=x', ['body.username value_error.required', 'body.password value_error.required']],
    ['username=&password=', ['body.username value_error.required', 'body.password value_error.required']],
    [
      'username=a%00&password=a%00',
      ['body.username value_error.invalid_format', 'body.password value_error.invalid_format'],
    ],
    [`username=${'a'.repeat(255)}&password=x`, ['body.username value_error.too_long']],
  ] as const)
    it(`refuses the form ${payload.slice(0, 40) || 'without fields'} in the form of the contract`, async () => {
      const { status, body } = await post(payload)
      assert.equal(status, 422)
      assert.deepEqual(details(body), expected)
    })

  it('answers 415 to JSON', async () => {
    const { email } = await t.person()
    const payload = JSON.stringify({ username: email, password: PASSWORD })
    const { status, body } = await post(payload, 'application/json')
    assert.deepEqual([status, body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('is the address that the OpenAPI document names for tokens', () => {
    const { components } = t.document as {
      components: { securitySchemes: { senha: { flows: { password: { tokenUrl: string } } } } }
    }
    assert.equal(components.securitySchemes.senha.flows.password.tokenUrl, '/api/v1/usuarios/login_sw')
  })
})

describe('GET /usuarios/logado', () => {
  it('answers exactly the fields of the logged user', async () => {
    const pessoa = await t.person()
    await t.database.pool.run(sql`
      update usuarios set nome = 'Ana Souza', telefone = '(81) 99999-0000', estado = 'PE', cidade = 'Recife',
                          funcao = 'Analista', instituicao = 'SES'
       where id = ${pessoa.id}`)
    const { status, body } = await t.as(pessoa).get('/usuarios/logado')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      id: pessoa.id,
      nome: 'Ana Souza',
      email: pessoa.email,
      admin: false,
      telefone: '(81) 99999-0000',
      estado: 'PE',
      cidade: 'Recife',
      funcao: 'Analista',
      instituicao: 'SES',
      territorios: [],
    })
  })

  it('answers null for what is not known, never an empty text', async () => {
    const { body } = await t.as(await t.administrador()).get('/usuarios/logado')
    const { id, nome, email, admin, territorios, ...rest } = body
    assert.deepEqual([id, nome, email, admin], [1, 'Administrador', 'admin@teste.local', true])
    assert.deepEqual(territorios, [])
    assert.deepEqual(rest, { telefone: null, estado: null, cidade: null, funcao: null, instituicao: null })
  })

  it('shows the flag itself: an administrator by a group has `admin` false', async () => {
    const { body } = await t.as(await t.person({ grupos: ['admin'] })).get('/usuarios/logado')
    assert.equal(body.admin, false)
  })
})
