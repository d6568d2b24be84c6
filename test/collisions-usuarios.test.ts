import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { type Answer, type Person, testApp } from './harness/app.ts'

/** Spec 1.1, row by row: which of the two descriptions answers, and in whose form it refuses. */

const t = await testApp()
after(() => t.close())
const { pool } = t.database

const admin = await t.administrador()
const plain = await t.person()

/** Whose validation failure it is. */
function formOf({ status, body, text }: Answer): 'A' | 'B' {
  assert.equal(status, 422, text)
  if (Array.isArray(body.detail)) {
    assert.deepEqual(Object.keys(body), ['detail'])
    return 'A'
  }
  assert.equal(body.error.code, 'VALIDATION_ERROR')
  return 'B'
}

const stored = async (id: number) =>
  pool.first<{ nome: string; ativo: boolean }>(sql`select nome, ativo from usuarios where id = ${id}`)

describe('GET /usuarios/ and GET /usuarios', () => {
  for (const [path, form] of [
    ['/usuarios/', 'A'],
    ['/usuarios/?page=1&size=2', 'A'],
    ['/usuarios/?limit=2', 'A'],
    ['/usuarios?limit=2', 'A'],
    ['/usuarios?offset=2', 'A'],
    ['/usuarios?limit=2&nome=a', 'A'],
    ['/usuarios', 'B'],
    ['/usuarios?', 'B'],
    ['/usuarios?nome=a', 'B'],
    ['/usuarios?page=1', 'B'],
    ['/usuarios?limit=2&page=1', 'B'],
    ['/usuarios?offset=2&size=1', 'B'],
    ['/usuarios?search=/', 'B'],
  ] as const)
    it(`${path} answers as description ${form}, also to HEAD`, async () => {
      const { status, headers, body, text } = await t.as(admin).get(path)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.equal('usuarios' in body, form === 'A')
      assert.equal('items' in body, form === 'B')
      const head = await t.as(admin).request('HEAD', path)
      assert.equal(head.status, 200)
      if (form === 'A') assert.equal(Number(head.headers['content-length']), Buffer.byteLength(text))
      assert.equal((await t.as(plain).get(path)).status, form === 'A' ? 200 : 403)
    })

  for (const [path, form] of [
    ['/usuarios/?limit=0', 'A'],
    ['/usuarios?limit=0', 'A'],
    ['/usuarios?offset=x', 'A'],
    ['/usuarios?limit=1&limit=2', 'A'],
    ['/usuarios?page=0', 'B'],
    ['/usuarios?limit=0&page=0', 'B'],
    ['/usuarios?admin=x', 'B'],
  ] as const)
    it(`${path} is refused in the form of description ${form}`, async () => {
      assert.equal(formOf(await t.as(admin).get(path)), form)
    })

  it('is B whatever else is asked of the path: POST with and without the slash is one route', async () => {
    for (const path of ['/usuarios', '/usuarios/', '/usuarios?limit=1'])
      assert.equal(formOf(await t.as(admin).post(path, {})), 'B')
  })
})

describe('GET /permissoes/ and GET /permissoes', () => {
  it('is an array with the slash and an object without, to anyone logged in', async () => {
    const [a, b] = [await t.as(plain).get('/permissoes/'), await t.as(plain).get('/permissoes')]
    assert.ok(Array.isArray(a.body))
    assert.deepEqual(Object.keys(b.body), ['total', 'categorias'])
    assert.deepEqual(Object.keys(a.body[0]).toSorted(), ['descricao', 'id', 'nome'])
  })
})

describe('GET /usuarios/{id}', () => {
  it('is one object: A for everybody, with B’s fields for those who may see them', async () => {
    const [own, other, all] = [
      await t.as(plain).get(`/usuarios/${plain.id}`),
      await t.as(plain).get(`/usuarios/${admin.id}`),
      await t.as(admin).get(`/usuarios/${plain.id}`),
    ]
    for (const { body } of [own, other, all]) assert.ok('created_at' in body && 'permissoes' in body)
    for (const { body } of [own, all]) assert.ok('criado_em' in body && 'permissoes_efetivas' in body)
    assert.ok(!('criado_em' in other.body) && !('cpf' in other.body) && !('grupos' in other.body))
  })

  it('refuses a bad id in the form of A, for everybody', async () => {
    for (const caller of [plain, admin]) assert.equal(formOf(await t.as(caller).get('/usuarios/x')), 'A')
  })
})

describe('PUT /usuarios/{id}', () => {
  const put = (id: number | string, body: unknown) => t.as(admin).put(`/usuarios/${id}`, body)

  it('with usuario is A, whatever else is there', async () => {
    const { id, email } = await t.person()
    for (const more of [{}, { nome: 'de B', cargo: 'de B' }, { permissoes: [] }]) {
      const { status, body } = await put(id, { usuario: { nome: 'de A', email }, ...more })
      assert.equal(status, 200)
      assert.ok('email' in body && !('campos_alterados' in body))
      assert.equal((await stored(id))?.nome, 'de A')
    }
  })

  for (const body of [
    { nome: 'de B' },
    { telefone: null },
    { cargo: 'x' },
    { departamento: 'x' },
    { cidade: 'x' },
    { estado: 'PE' },
    { email: 'de.b@teste.local' },
    { admin: false },
    { ativo: true },
    { plano: 'basico' },
    { grupos_ids: [] },
    { permissoes_ids: [] },
    { funcao: 'x' },
    { instituicao: 'x' },
    { cpf: null },
    { cidade: 'x', desconhecido: 1, permissoes: [1] },
  ])
    it(`with ${Object.keys(body).join(', ')} is B`, async () => {
      const { id } = await t.person()
      const answer = await put(id, body)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(Object.keys(answer.body), ['id', 'message', 'campos_alterados', 'requer_acao'])
    })

  for (const [what, body, form] of [
    ['nothing', {}, 'A'],
    ['nothing known', { desconhecido: 1, id: 5 }, 'A'],
    ['permissoes alone', { permissoes: [1] }, 'A'],
    ['usuario null', { usuario: null }, 'A'],
    ['usuario null beside a field of B', { usuario: null, nome: 'x' }, 'A'],
    ['usuario empty', { usuario: {} }, 'A'],
    ['an array', [], 'A'],
    ['a bad field of B', { telefone: 'x' }, 'B'],
    ['senha', { senha: 'Outra#Senha9' }, 'B'],
    ['another cpf', { cpf: '52998224725' }, 'B'],
    ['a field of B that is an unknown group', { grupos_ids: [999_999] }, 'B'],
  ] as [string, unknown, 'A' | 'B'][])
    it(`with ${what} is refused in the form of ${form}`, async () => {
      const { id } = await t.person()
      const before = await stored(id)
      const answer = await put(id, body)
      assert.equal(formOf(answer), form)
      if (['nothing', 'nothing known', 'permissoes alone'].includes(what))
        assert.deepEqual(answer.body.detail[0].loc, ['body', 'usuario'])
      assert.deepEqual(await stored(id), before)
    })

  it('without any body is refused in the form of A', async () => {
    assert.equal(formOf(await t.as(admin).request('PUT', `/usuarios/${plain.id}`)), 'A')
  })

  it('of a bad id is refused in the form of whoever answers', async () => {
    assert.equal(formOf(await put('x', { usuario: { nome: 'x', email: 'x@teste.local' } })), 'A')
    assert.equal(formOf(await put('x', { nome: 'x' })), 'B')
  })

  it('that is no JSON, or not said to be, is refused in the envelope', async () => {
    for (const [type, status, code] of [
      ['application/json', 400, 'MALFORMED_REQUEST'],
      ['text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ] as const) {
      const options = { headers: { 'content-type': type }, payload: '{"usuario": ' }
      const answer = await t.as(admin).request('PUT', `/usuarios/${plain.id}`, options)
      assert.deepEqual([answer.status, answer.body.error.code], [status, code])
    }
  })

  for (const body of [{ usuario: { nome: 'x', email: 'x@teste.local' } }, { nome: 'x' }])
    it(`with ${Object.keys(body)} answers 401, 403 and 404 in the envelope`, async () => {
      const code = ({ body: { error } }: Answer) => error.code
      assert.equal(code(await t.anonymous.put(`/usuarios/${plain.id}`, body)), 'UNAUTHORIZED')
      assert.equal(code(await t.as(plain).put(`/usuarios/${admin.id}`, body)), 'PERMISSION_DENIED')
      assert.equal(code(await put(999_999, body)), 'NOT_FOUND')
    })
})

describe('PATCH /usuarios/{id}', () => {
  it('is B, always', async () => {
    const { id, email } = await t.person()
    const { status, body } = await t.as(admin).patch(`/usuarios/${id}`, { nome: 'por PATCH' })
    assert.deepEqual([status, body.campos_alterados], [200, ['nome']])
    assert.equal(formOf(await t.as(admin).patch(`/usuarios/${id}`, { telefone: 'x' })), 'B')
    const nested = await t.as(admin).patch(`/usuarios/${id}`, { usuario: { nome: 'de A', email } })
    assert.deepEqual([nested.status, nested.body.campos_alterados], [200, []])
    assert.equal((await stored(id))?.nome, 'por PATCH')
  })
})

describe('DELETE /usuarios/{id}', () => {
  const remove = (person: Person, query = '') => t.as(admin).delete(`/usuarios/${person.id}${query}`)

  for (const query of ['', '?', '?force=true', '?transferir_para=1', '?Motivo=x'])
    it(`${query || 'without a query'} is A: removed for good`, async () => {
      const ana = await t.person()
      const { status, body } = await remove(ana, query)
      assert.deepEqual([status, Object.keys(body)], [200, ['message']])
      assert.equal(await stored(ana.id), null)
    })

  for (const query of ['?motivo=saiu', '?motivo=saiu&force=false'])
    it(`${query} is B: deactivated and kept`, async () => {
      const ana = await t.person()
      const { status, body } = await remove(ana, query)
      assert.deepEqual([status, Object.keys(body)], [200, ['message', 'avisos', 'acoes_realizadas']])
      assert.equal((await stored(ana.id))?.ativo, false)
    })

  for (const query of [
    '?motivo=',
    '?motivo',
    `?motivo=${'x'.repeat(501)}`,
    '?motivo=x&force=talvez',
    '?motivo=a&motivo=b',
  ])
    it(`${query.slice(0, 30)} is refused in the form of B, and nothing happens: never A's removal`, async () => {
      const ana = await t.person()
      assert.equal(formOf(await remove(ana, query)), 'B')
      assert.equal((await stored(ana.id))?.ativo, true)
    })

  it('refuses a bad id and the last administrator in the form of whoever answers', async () => {
    for (const [query, form] of [
      ['', 'A'],
      ['?motivo=x', 'B'],
    ] as const) {
      assert.equal(formOf(await t.as(admin).delete(`/usuarios/x${query}`)), form)
      assert.equal(formOf(await remove(admin, query)), form)
      const { body } = await t.as(admin).delete(`/usuarios/999999${query}`)
      assert.equal(body.error.code, 'NOT_FOUND')
    }
    assert.equal((await stored(admin.id))?.ativo, true)
  })
})

describe('every other path', () => {
  it('is refused in the form of the one description that has it', async () => {
    for (const verb of ['desativar', 'reativar', 'foto-perfil']) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      const options = verb === 'foto-perfil' ? { headers, payload: '--x--\r\n' } : {}
      assert.equal(formOf(await t.as(admin).request('POST', `/usuarios/x/${verb}`, options)), 'A', verb)
    }
    for (const [method, path] of [
      ['POST', '/usuarios/x/desbloquear'],
      ['POST', '/usuarios/x/convite'],
      ['DELETE', '/usuarios/x/mfa'],
      ['DELETE', '/usuarios/x/sessoes'],
      ['GET', '/usuarios/x/permissoes'],
      ['GET', '/usuarios/x/foto'],
      ['POST', '/usuarios/x/grupos/1'],
      ['DELETE', '/usuarios/1/permissoes/x'],
      ['GET', '/usuarios/estatisticas?periodo=x'],
    ] as const)
      assert.equal(formOf(await t.as(admin).request(method, path)), 'B', path)
    assert.equal(formOf(await t.as(admin).post('/permissoes', {})), 'A')
    assert.equal(formOf(await t.as(admin).put('/permissoes/x', { nome: 'a.b' })), 'A')
    assert.equal(formOf(await t.as(admin).delete('/permissoes/x')), 'A')
  })
})
