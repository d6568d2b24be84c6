import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { invalid, missing, problems, storedRights, tally } from '../refusals.ts'
import { gruposApp, nomes } from './grupos-app.ts'

const { t, admin, newGrupo, getGrupo, addMembro, permissao, padrao } = await gruposApp()
after(() => t.close())

const LISTAR = permissao('agravos.listar')
const CRIAR = permissao('agravos.criar')
const UNKNOWN_ID = 2_000_000_000

/** What is wrong with these fields, whether a group is created or changed. */
const BAD_FIELDS: [what: string, body: Record<string, unknown>, expected: string[]][] = [
  ['a name in use', { nome: 'gestor' }, ['nome DUPLICATE']],
  ['a name with a space', { nome: 'dois nomes' }, ['nome INVALID_FORMAT']],
  ['a name with a line break', { nome: 'nome\n' }, ['nome INVALID_FORMAT']],
  ['a name in upper case', { nome: 'Recife' }, ['nome INVALID_FORMAT']],
  ['an accented name in upper case', { nome: 'Área' }, ['nome INVALID_FORMAT']],
  ['a name with the NUL character', { nome: 'a\0b' }, ['nome INVALID_FORMAT']],
  ['an empty name', { nome: '' }, ['nome REQUIRED', 'nome INVALID_FORMAT']],
  ['a name of 61 characters', { nome: 'n'.repeat(61) }, ['nome TOO_LONG']],
  ['a name that is a number', { nome: 5 }, ['nome INVALID_TYPE']],
  ['a name that is null', { nome: null }, ['nome INVALID_TYPE']],
  ['a description of 501 characters', { descricao: 'd'.repeat(501) }, ['descricao TOO_LONG']],
  ['a description with the NUL character', { descricao: 'a\0b' }, ['descricao INVALID_FORMAT']],
  ['a description with half a character', { descricao: 'a\ud800b' }, ['descricao INVALID_FORMAT']],
  ['a description that is a list', { descricao: [] }, ['descricao INVALID_TYPE']],
  ['`ativo` as text', { ativo: 'false' }, ['ativo INVALID_TYPE']],
  ['`ativo` as a number', { ativo: 0 }, ['ativo INVALID_TYPE']],
  ['`ativo` null', { ativo: null }, ['ativo INVALID_TYPE']],
  ['`permissoes_ids` null', { permissoes_ids: null }, ['permissoes_ids INVALID_TYPE']],
  ['`permissoes_ids` as text', { permissoes_ids: '1,2' }, ['permissoes_ids INVALID_TYPE']],
  ['a permission id as text', { permissoes_ids: [1, '2'] }, ['permissoes_ids.1 INVALID_TYPE']],
  ['a permission id with a fraction', { permissoes_ids: [1.5] }, ['permissoes_ids.0 INVALID_TYPE']],
  ['a permission id of zero', { permissoes_ids: [0] }, ['permissoes_ids.0 TOO_SMALL']],
  ['a permission id beyond integers', { permissoes_ids: [2 ** 31] }, ['permissoes_ids.0 TOO_LARGE']],
  ['more than 500 permission ids', { permissoes_ids: Array(501).fill(1) }, ['permissoes_ids TOO_MANY']],
  ['an unknown permission id', { permissoes_ids: [LISTAR, UNKNOWN_ID] }, ['permissoes_ids UNKNOWN']],
  [
    'all of these at once',
    { nome: 'Dois Nomes', descricao: 5, ativo: 'sim', permissoes_ids: [-1] },
    ['nome INVALID_FORMAT', 'descricao INVALID_TYPE', 'ativo INVALID_TYPE', 'permissoes_ids.0 TOO_SMALL'],
  ],
]

const BAD_IDS = ['0', '-1', '1.5', 'um', '2147483648', '%00']

describe('POST /grupos', () => {
  it('creates the group and answers it with its permissions and a message', async () => {
    const { status, body } = await t.as(admin).post('/grupos', {
      nome: 'vigilancia_recife',
      descricao: 'Vigilância do Recife',
      ativo: false,
      permissoes_ids: [CRIAR, LISTAR, CRIAR],
    })
    assert.equal(status, 201)
    const { mensagem, ...grupo } = body
    const { id, criado_em, atualizado_em, ...rest } = grupo
    assert.ok(mensagem.length > 0)
    assert.equal(criado_em, atualizado_em)
    assert.ok(Math.abs(Date.parse(criado_em) - t.clock.now().getTime()) < 10_000)
    assert.deepEqual(rest, {
      nome: 'vigilancia_recife',
      descricao: 'Vigilância do Recife',
      ativo: false,
      exige_mfa: false,
      total_usuarios: 0,
      permissoes: [
        { id: LISTAR, nome: 'agravos.listar', descricao: 'Listar e ver casos' },
        { id: CRIAR, nome: 'agravos.criar', descricao: 'Registrar casos' },
      ],
    })
    assert.deepEqual(await getGrupo(id), grupo)
  })

  it('needs only a name: the group is active, without description and permissions', async () => {
    const { nome, descricao, ativo, permissoes } = await newGrupo({ nome: 'minimo' })
    assert.deepEqual(
      { nome, descricao, ativo, permissoes },
      { nome: 'minimo', descricao: null, ativo: true, permissoes: [] },
    )
  })

  for (const nome of ['a', '7', 'são.joão-2_b', 'ß', 'n'.repeat(60)])
    it(`accepts the name ${nome}`, async () => {
      assert.equal((await newGrupo({ nome })).nome, nome)
    })

  it('accepts no description as null and as an empty text', async () => {
    assert.equal((await newGrupo({ descricao: null })).descricao, null)
    assert.equal((await newGrupo({ descricao: '' })).descricao, '')
  })

  it('ignores fields it does not know', async () => {
    const grupo = await newGrupo({ id: 1, padrao: true, total_usuarios: 9 })
    assert.notEqual(grupo.id, 1)
    assert.equal(grupo.total_usuarios, 0)
    assert.equal((await t.as(admin).put(`/grupos/${grupo.id}`, { nome: 'nao_e_padrao' })).status, 200)
  })

  for (const [what, body, expected] of BAD_FIELDS)
    it(`refuses ${what}`, async () => {
      const found = await invalid(t, () => t.as(admin).post('/grupos', { nome: 'recusado', ...body }))
      assert.deepEqual(found, expected)
    })

  it('refuses a group without a name', async () => {
    assert.deepEqual(await invalid(t, () => t.as(admin).post('/grupos', { descricao: 'x' })), [
      'nome REQUIRED',
    ])
  })

  it('names every permission id that does not exist', async () => {
    const permissoes_ids = [UNKNOWN_ID, LISTAR, UNKNOWN_ID + 1, UNKNOWN_ID]
    const { body } = await t.as(admin).post('/grupos', { nome: 'recusado', permissoes_ids })
    assert.equal(body.error.details[0].message, 'Não existe: 2000000000, 2000000001')
  })

  for (const [what, payload, expected] of [
    ['a list', '[]', [' INVALID_TYPE']],
    ['a text', '"recife"', [' INVALID_TYPE']],
    ['null', 'null', [' INVALID_TYPE']],
    ['nothing', '', [' INVALID_TYPE']],
  ] as const)
    it(`refuses ${what} in place of an object with 422`, async () => {
      const headers = { 'content-type': 'application/json' }
      const found = await invalid(t, () => t.as(admin).request('POST', '/grupos', { headers, payload }))
      assert.deepEqual(found, expected)
    })

  for (const [status, code, what, type, payload] of [
    [400, 'MALFORMED_REQUEST', 'broken JSON', 'application/json', '{"nome": "recusado"'],
    [
      400,
      'MALFORMED_REQUEST',
      'a key that would reach the prototype',
      'application/json',
      '{"__proto__": {}}',
    ],
    [
      413,
      'PAYLOAD_TOO_LARGE',
      'a body of more than 1 MiB',
      'application/json',
      `{"nome":"${'x'.repeat(2 ** 20)}"}`,
    ],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'a form', 'application/x-www-form-urlencoded', 'nome=recusado'],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'plain text', 'text/plain', '{"nome":"recusado"}'],
  ] as const)
    it(`refuses ${what} with ${status}`, async () => {
      const before = await storedRights(t)
      const headers = { 'content-type': type }
      const { status: answered, body } = await t.as(admin).request('POST', '/grupos', { headers, payload })
      assert.equal(answered, status)
      assert.equal(body.error.code, code)
      assert.deepEqual(await storedRights(t), before)
    })

  it('words its refusals in the language asked for, with the same codes', async () => {
    const messages = []
    for (const language of ['pt-BR', 'en-US', 'es-MX', 'de']) {
      const headers = { 'accept-language': language }
      const { body } = await t.as(admin).post('/grupos', { nome: 'gestor' }, { headers })
      assert.deepEqual(problems(body.error.details), ['nome DUPLICATE'])
      messages.push(body.error.details[0].message)
    }
    const [ptBR, enUS, esES, unknown] = messages
    assert.equal(ptBR, 'Já está em uso')
    assert.equal(unknown, ptBR)
    assert.equal(new Set([ptBR, enUS, esES]).size, 3)
  })

  it('creates a name once when 30 requests ask for it at the same time', async () => {
    const requests = Array.from({ length: 30 }, () =>
      t.as(admin).post('/grupos', { nome: 'corrida', permissoes_ids: [LISTAR, CRIAR] }),
    )
    assert.deepEqual(tally(await Promise.all(requests)), { 201: 1, 422: 29 })
    const { body } = await t.as(admin).get('/grupos?nome[eq]=corrida')
    assert.deepEqual(
      body.grupos.map((g: { permissoes: [] }) => g.permissoes.length),
      [2],
    )
  })
})

describe('GET /grupos/{id}', () => {
  it('answers the group with its permissions and the number of its users', async () => {
    const grupo = await newGrupo({ permissoes_ids: [LISTAR] })
    await addMembro(grupo.id, admin.id)
    const { status, body } = await t.as(admin).get(`/grupos/${grupo.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { ...grupo, total_usuarios: 1 })
  })

  it('answers 404 for a group that does not exist', async () => {
    await missing(t, () => t.as(admin).get(`/grupos/${UNKNOWN_ID}`))
  })

  for (const id of BAD_IDS)
    it(`answers 422 for the id ${id}`, async () => {
      const [found] = await invalid(t, () => t.as(admin).get(`/grupos/${id}`))
      assert.match(found as string, /^id /)
    })
})

for (const method of ['put', 'patch'] as const)
  describe(`${method.toUpperCase()} /grupos/{id}`, () => {
    const change = (id: number | string, body: unknown) => t.as(admin)[method](`/grupos/${id}`, body)

    for (const [what, body, expected] of [
      ['the name', { nome: `renomeado_${method}` }, { nome: `renomeado_${method}` }],
      ['the description', { descricao: 'Outra' }, { descricao: 'Outra' }],
      ['the description away', { descricao: null }, { descricao: null }],
      ['the state', { ativo: false }, { ativo: false }],
      ['nothing', {}, {}],
      ['the name to itself', null, {}],
    ] as const)
      it(`changes ${what} and leaves the rest`, async () => {
        const grupo = await newGrupo({ descricao: 'Antes', permissoes_ids: [LISTAR] })
        await addMembro(grupo.id, admin.id)
        t.clock.advance(1000)
        const { status, body: answer } = await change(grupo.id, body ?? { nome: grupo.nome })
        assert.equal(status, 200)
        const { message, ...rest } = answer
        assert.ok(message.length > 0)
        assert.deepEqual(rest, { id: grupo.id, total_usuarios: 1 })
        const { atualizado_em, ...changed } = await getGrupo(grupo.id)
        assert.ok(atualizado_em > grupo.atualizado_em)
        const { atualizado_em: _before, ...before } = grupo
        assert.deepEqual(changed, { ...before, ...expected, total_usuarios: 1 })
      })

    it('replaces all permissions by those given', async () => {
      const { id } = await newGrupo({ permissoes_ids: [LISTAR, permissao('noticias.listar')] })
      await change(id, { permissoes_ids: [CRIAR, LISTAR, LISTAR] })
      assert.deepEqual(nomes((await getGrupo(id)).permissoes), ['agravos.listar', 'agravos.criar'])
      await change(id, { permissoes_ids: [] })
      assert.deepEqual((await getGrupo(id)).permissoes, [])
    })

    for (const [what, body, expected] of BAD_FIELDS)
      it(`refuses ${what}`, async () => {
        const { id } = await newGrupo({ permissoes_ids: [LISTAR] })
        assert.deepEqual(await invalid(t, () => change(id, body)), expected)
      })

    for (const nome of ['admin', 'gestor', 'analista', 'usuario', 'visualizador'])
      it(`does not rename the default group ${nome}, and changes nothing else with it`, async () => {
        const body = { nome: 'outro_nome', descricao: 'Outra' }
        assert.deepEqual(await invalid(t, () => change(padrao(nome), body)), ['nome PROTECTED'])
      })

    it('changes the rest of a default group', async () => {
      const id = padrao('visualizador')
      const body = { nome: 'visualizador', descricao: `Só ${method}`, ativo: true }
      assert.equal((await change(id, body)).status, 200)
      assert.equal((await getGrupo(id)).descricao, `Só ${method}`)
    })

    it('answers 404 for a group that does not exist and 422 for an impossible id', async () => {
      await missing(t, () => change(UNKNOWN_ID, { descricao: 'x' }))
      assert.deepEqual(await invalid(t, () => change('um', { ativo: 'sim' })), [
        'id INVALID_TYPE',
        'ativo INVALID_TYPE',
      ])
    })

    it('keeps both of two simultaneous changes of different fields', async () => {
      for (let round = 0; round < 10; round++) {
        const { id } = await newGrupo()
        const answers = await Promise.all([
          change(id, { descricao: 'Simultânea' }),
          change(id, { ativo: false }),
          change(id, { permissoes_ids: [LISTAR] }),
        ])
        assert.deepEqual(tally(answers), { 200: 3 })
        const { descricao, ativo, permissoes } = await getGrupo(id)
        assert.deepEqual([descricao, ativo, permissoes.length], ['Simultânea', false, 1])
      }
    })

    it('gives a name once when ten groups are renamed to it at the same time', async () => {
      const ids = []
      for (let i = 0; i < 10; i++) ids.push((await newGrupo()).id)
      const answers = await Promise.all(ids.map((id) => change(id, { nome: `disputado_${method}` })))
      assert.deepEqual(tally(answers), { 200: 1, 422: 9 })
    })
  })
