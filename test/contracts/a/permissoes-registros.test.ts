import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, testApp } from '../../harness/app.ts'
import { denied, missing, storedRights, tally } from '../refusals.ts'

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()
const manager = await t.person({ permissoes: ['usuarios.gerenciar_permissoes'] })

const records = () =>
  t.database.pool.rows(sql`select id, nome, descricao, padrao from permissoes order by id`)
const idOf = async (nome: string) =>
  (await t.database.pool.first<{ id: number }>(sql`select id from permissoes where nome = ${nome}`))
    ?.id as number

let made = 0
async function newPermissao(
  input: object = {},
): Promise<{ id: number; nome: string; descricao: string | null }> {
  const { status, body, text } = await t.as(admin).post('/permissoes/', { nome: `nova.${++made}`, ...input })
  assert.equal(status, 201, text)
  return body
}

/** A 422 in description A's form that changed neither the records nor anybody's rights; what is wrong, and where. */
async function invalidA(act: () => Promise<Answer>): Promise<string[]> {
  const before = [await records(), await storedRights(t)]
  const { status, body, text } = await act()
  assert.equal(status, 422, text)
  assert.deepEqual(Object.keys(body), ['detail'])
  assert.deepEqual([await records(), await storedRights(t)], before, 'a refusal changes nothing')
  return body.detail.map(
    ({ loc, type }: { loc: string[]; type: string }) =>
      `${loc.join('.')} ${type.replace('value_error.', '')}`,
  )
}

const audited = async (id: number) =>
  (
    await t.database.pool.rows<{ acao: string }>(sql`
    select acao from auditoria where recurso = 'permissao' and recurso_id = ${String(id)} order by id`)
  ).map(({ acao }) => acao)

const BAD_INPUTS: [string, unknown, string[]][] = [
  ['nothing', {}, ['body.nome required']],
  ['no body at all', undefined, ['body invalid_type']],
  ['a list', [], ['body invalid_type']],
  ['an empty name', { nome: '' }, ['body.nome required']],
  ['a blank name', { nome: '  ' }, ['body.nome invalid_format']],
  ['a name that is null', { nome: null }, ['body.nome invalid_type']],
  ['a name that is a number', { nome: 7 }, ['body.nome invalid_type']],
  ['a name of 101 characters', { nome: 'x'.repeat(101) }, ['body.nome too_long']],
  ['NUL in the name', { nome: 'a\0b' }, ['body.nome invalid_format']],
  ['half of a surrogate pair', { nome: 'a\ud800' }, ['body.nome invalid_format']],
  ['NUL in the description', { nome: 'a.b', descricao: '\0' }, ['body.descricao invalid_format']],
  [
    'a description of 501 characters',
    { nome: 'a.b', descricao: 'x'.repeat(501) },
    ['body.descricao too_long'],
  ],
  ['a name that is taken', { nome: 'agravos.listar' }, ['body.nome duplicate']],
  ['two mistakes, both told', { descricao: 7 }, ['body.descricao invalid_type', 'body.nome required']],
]

describe('POST /permissoes/', () => {
  it('creates a record and answers 201 with exactly id, nome, descricao', async () => {
    const { status, body } = await t
      .as(manager)
      .post('/permissoes/', { nome: 'laboratorio.liberar', descricao: 'Liberar', id: 1, padrao: true })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id', 'nome', 'descricao'])
    assert.deepEqual([body.nome, body.descricao], ['laboratorio.liberar', 'Liberar'])
    assert.ok(Number.isInteger(body.id) && body.id > 1)
    const stored = await t.database.pool.first(sql`select padrao from permissoes where id = ${body.id}`)
    assert.deepEqual(stored, { padrao: false })
    const { body: list } = await t.as(manager).get('/permissoes/')
    assert.deepEqual(list.at(-1), body)
    assert.deepEqual(await audited(body.id), ['permissao.criada'])
  })

  it('answers the same on the path without the final slash', async () => {
    const { status, body } = await t.as(manager).post('/permissoes', { nome: 'sem.barra' })
    assert.equal(status, 201)
    assert.equal(body.descricao, null)
  })

  it('takes names and descriptions up to their limits, in any script', async () => {
    const { nome, descricao } = await newPermissao({ nome: 'ç'.repeat(100), descricao: '🦟'.repeat(250) })
    assert.deepEqual([nome.length, descricao?.length], [100, 500])
  })

  it('gives its maker nothing', async () => {
    const { id } = (await t.as(manager).post('/permissoes/', { nome: 'para.mim' })).body
    const { body } = await t.as(manager).get(`/usuarios/${manager.id}/permissoes`)
    assert.ok(!JSON.stringify(body).includes('para.mim'))
    assert.equal(
      await denied(t, () => t.as(manager).post(`/usuarios/${manager.id}/permissoes/${id}`)),
      'para.mim',
    )
  })

  for (const [what, input, problems] of BAD_INPUTS)
    it(`answers 422 to ${what}`, async () => {
      const found = await invalidA(() => t.as(admin).post('/permissoes/', input))
      assert.deepEqual(found.toSorted(), problems)
    })

  it('makes one of 30 of the same name at once, and answers 422 to the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => t.as(admin).post('/permissoes/', { nome: 'ao.mesmo.tempo' })),
    )
    assert.deepEqual(tally(answers), { 201: 1, 422: 29 })
    const same = await t.database.pool.rows(sql`select from permissoes where nome = 'ao.mesmo.tempo'`)
    assert.equal(same.length, 1)
  })
})

describe('PUT /permissoes/{id}', () => {
  it('replaces name and description; one that is not sent is emptied', async () => {
    const { id } = await newPermissao({ descricao: 'antes' })
    const { status, body } = await t
      .as(admin)
      .put(`/permissoes/${id}`, { nome: 'outro.nome', descricao: 'depois' })
    assert.equal(status, 200)
    assert.deepEqual(body, { id, nome: 'outro.nome', descricao: 'depois' })
    assert.deepEqual((await t.as(admin).put(`/permissoes/${id}`, { nome: 'outro.nome' })).body, {
      id,
      nome: 'outro.nome',
      descricao: null,
    })
    assert.deepEqual(await audited(id), ['permissao.criada', 'permissao.alterada', 'permissao.alterada'])
  })

  it('counts at the next request of those who hold it', async () => {
    const { id, nome } = await newPermissao()
    const holder = await t.person({ permissoes: [nome] })
    await t.as(admin).put(`/permissoes/${id}`, { nome: 'renomeada.agora' })
    const { body } = await t.as(holder).get('/usuarios/me?include=permissoes')
    assert.deepEqual(body.permissoes_efetivas, ['renomeada.agora'])
  })

  it('does not rename a built-in one, but takes another description for it', async () => {
    const id = await idOf('agravos.listar')
    assert.deepEqual(await invalidA(() => t.as(admin).put(`/permissoes/${id}`, { nome: 'agravos.ver' })), [
      'body.nome protected',
    ])
    const { status, body } = await t
      .as(admin)
      .put(`/permissoes/${id}`, { nome: 'agravos.listar', descricao: 'Nova' })
    assert.equal(status, 200)
    assert.deepEqual(body, { id, nome: 'agravos.listar', descricao: 'Nova' })
  })

  for (const [what, input, problems] of BAD_INPUTS)
    it(`answers 422 to ${what}`, async () => {
      const { id } = await newPermissao()
      const found = await invalidA(() => t.as(admin).put(`/permissoes/${id}`, input))
      assert.deepEqual(found.toSorted(), problems)
    })
})

describe('DELETE /permissoes/{id}', () => {
  it('answers 204 and detaches it from users and groups, from their next request on', async () => {
    const { id, nome } = await newPermissao()
    const { body: grupo } = await t
      .as(admin)
      .post('/grupos', { nome: 'com_a_nova', permissoes_ids: [id, await idOf('usuarios.listar')] })
    const holder = await t.person({ permissoes: [nome] })
    const member = await t.person({ grupos: ['com_a_nova'] })
    const held = async (who: typeof holder) =>
      (await t.as(who).get('/usuarios/me?include=permissoes')).body.permissoes_efetivas
    assert.deepEqual(
      [await held(holder), (await held(member)).toSorted()],
      [[nome], [nome, 'usuarios.listar'].toSorted()],
    )

    const { status, text } = await t.as(admin).delete(`/permissoes/${id}`)
    assert.deepEqual([status, text], [204, ''])
    assert.deepEqual([await held(holder), await held(member)], [[], ['usuarios.listar']])
    const { body: left } = await t.as(admin).get(`/grupos/${grupo.id}`)
    assert.deepEqual(
      left.permissoes.map((p: { nome: string }) => p.nome),
      ['usuarios.listar'],
    )
    assert.deepEqual(await audited(id), ['permissao.criada', 'permissao.excluida'])
    await missing(t, () => t.as(admin).delete(`/permissoes/${id}`))
  })

  it('answers 422 for every built-in one', async () => {
    const builtIn = await t.database.pool.rows<{ id: number }>(sql`select id from permissoes where padrao`)
    assert.equal(builtIn.length, 40)
    for (const { id } of builtIn)
      assert.deepEqual(await invalidA(() => t.as(admin).delete(`/permissoes/${id}`)), ['path.id protected'])
  })

  it('removes once when asked 10 times at once', async () => {
    const { id } = await newPermissao()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => t.as(admin).delete(`/permissoes/${id}`)),
    )
    assert.deepEqual(tally(answers), { 204: 1, 404: 9 })
  })
})

describe('both', () => {
  const put = (id: number | string) => t.as(admin).put(`/permissoes/${id}`, { nome: 'x.y' })
  const remove = (id: number | string) => t.as(admin).delete(`/permissoes/${id}`)

  it('answer 404 for a record that is not there', async () => {
    await missing(t, () => put(999_999))
    await missing(t, () => remove(999_999))
  })

  for (const [id, problem] of [
    ['x', 'path.id invalid_type'],
    ['0', 'path.id too_small'],
    ['1.5', 'path.id invalid_type'],
    ['2147483648', 'path.id too_large'],
  ] as const)
    it(`answer 422 for the id ${id}`, async () => {
      assert.deepEqual(await invalidA(() => put(id)), [problem])
      assert.deepEqual(await invalidA(() => remove(id)), [problem])
    })

  it('refuse whoever does not hold the permission itself', async () => {
    const { id, nome } = await newPermissao()
    const before = await records()
    assert.equal(await denied(t, () => t.as(manager).put(`/permissoes/${id}`, { nome: 'minha.agora' })), nome)
    assert.equal(
      await denied(t, () => t.as(manager).put(`/permissoes/${id}`, { nome, descricao: 'x' })),
      nome,
    )
    assert.equal(await denied(t, () => t.as(manager).delete(`/permissoes/${id}`)), nome)
    assert.deepEqual(await records(), before)
    const holder = await t.person({ permissoes: ['usuarios.gerenciar_permissoes', nome] })
    assert.equal((await t.as(holder).put(`/permissoes/${id}`, { nome: 'minha.agora' })).status, 200)
    assert.equal((await t.as(holder).delete(`/permissoes/${id}`)).status, 204)
  })
})
