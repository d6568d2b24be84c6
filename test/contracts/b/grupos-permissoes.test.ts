import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { invalid, missing, storedRights, tally } from '../refusals.ts'
import { gruposApp, nomes } from './grupos-app.ts'

const { t, admin, newGrupo, getGrupo, permissao } = await gruposApp()
after(() => t.close())

const LISTAR = permissao('agravos.listar')
const CRIAR = permissao('agravos.criar')
const UNKNOWN_ID = 2_000_000_000

for (const method of ['put', 'patch'] as const)
  describe(`${method.toUpperCase()} /grupos/{id}/permissoes`, () => {
    const replace = (id: number | string, body?: unknown) =>
      t.as(admin)[method](`/grupos/${id}/permissoes`, body)

    it('replaces the permissions and answers the group', async () => {
      const grupo = await newGrupo({ permissoes_ids: [LISTAR] })
      t.clock.advance(1000)
      const { status, body } = await replace(grupo.id, { permissoes_ids: [CRIAR, CRIAR] })
      assert.equal(status, 200)
      assert.deepEqual(nomes(body.permissoes), ['agravos.criar'])
      assert.ok(body.atualizado_em > grupo.atualizado_em)
      assert.deepEqual(body, await getGrupo(grupo.id))
    })

    it('takes all of them away with an empty list', async () => {
      const { id } = await newGrupo({ permissoes_ids: [LISTAR, CRIAR] })
      assert.deepEqual((await replace(id, { permissoes_ids: [] })).body.permissoes, [])
    })

    for (const [what, body, expected] of [
      ['a body without the list', {}, ['permissoes_ids REQUIRED']],
      ['the bare list', [1], [' INVALID_TYPE']],
      ['null in place of the list', { permissoes_ids: null }, ['permissoes_ids INVALID_TYPE']],
      [
        'an id that is no id',
        { permissoes_ids: ['1', 0] },
        ['permissoes_ids.0 INVALID_TYPE', 'permissoes_ids.1 TOO_SMALL'],
      ],
      [
        'a permission that does not exist',
        { permissoes_ids: [CRIAR, UNKNOWN_ID] },
        ['permissoes_ids UNKNOWN'],
      ],
    ] as const)
      it(`refuses ${what}`, async () => {
        const { id } = await newGrupo({ permissoes_ids: [LISTAR] })
        assert.deepEqual(await invalid(t, () => replace(id, body)), expected)
      })

    it('answers 404 for a group that does not exist and 422 for an impossible id', async () => {
      await missing(t, () => replace(UNKNOWN_ID, { permissoes_ids: [] }))
      assert.deepEqual(await invalid(t, () => replace('um', { permissoes_ids: [] })), ['id INVALID_TYPE'])
    })
  })

describe('POST /grupos/{id}/permissoes/{permissao_id}', () => {
  const add = (id: number | string, permissaoId: number | string) =>
    t.as(admin).post(`/grupos/${id}/permissoes/${permissaoId}`)

  it('adds one permission to the others and answers the group', async () => {
    const grupo = await newGrupo({ permissoes_ids: [CRIAR] })
    t.clock.advance(1000)
    const { status, body } = await add(grupo.id, LISTAR)
    assert.equal(status, 200)
    assert.deepEqual(nomes(body.permissoes), ['agravos.listar', 'agravos.criar'])
    assert.ok(body.atualizado_em > grupo.atualizado_em)
    assert.deepEqual(body, await getGrupo(grupo.id))
  })

  it('answers the same and changes nothing when the group has it already', async () => {
    const grupo = await newGrupo({ permissoes_ids: [LISTAR] })
    const before = await storedRights(t)
    const { status, body } = await add(grupo.id, LISTAR)
    assert.equal(status, 200)
    assert.deepEqual(body, grupo)
    assert.deepEqual(await storedRights(t), before)
  })

  it('answers 404 when group or permission do not exist, 422 for impossible ids', async () => {
    const { id } = await newGrupo()
    await missing(t, () => add(UNKNOWN_ID, LISTAR))
    await missing(t, () => add(id, UNKNOWN_ID))
    assert.deepEqual(await invalid(t, () => add('um', 0)), ['id INVALID_TYPE', 'permissao_id TOO_SMALL'])
  })

  it('keeps every one of ten permissions that are added at the same time', async () => {
    const { id } = await newGrupo()
    const ids = Array.from({ length: 10 }, (_, i) => i + 1)
    assert.deepEqual(tally(await Promise.all(ids.map((permissaoId) => add(id, permissaoId)))), { 200: 10 })
    assert.deepEqual(
      (await getGrupo(id)).permissoes.map((p) => p.id),
      ids,
    )
  })
})

describe('DELETE /grupos/{id}/permissoes/{permissao_id}', () => {
  const remove = (id: number | string, permissaoId: number | string) =>
    t.as(admin).delete(`/grupos/${id}/permissoes/${permissaoId}`)

  it('takes one permission away and answers nothing', async () => {
    const grupo = await newGrupo({ permissoes_ids: [LISTAR, CRIAR] })
    t.clock.advance(1000)
    const { status, text } = await remove(grupo.id, LISTAR)
    assert.deepEqual([status, text], [204, ''])
    const { permissoes, atualizado_em } = await getGrupo(grupo.id)
    assert.deepEqual(nomes(permissoes), ['agravos.criar'])
    assert.ok(atualizado_em > grupo.atualizado_em)
  })

  it('answers 404 when the group does not have it, or either does not exist; 422 for impossible ids', async () => {
    const { id } = await newGrupo({ permissoes_ids: [LISTAR] })
    await missing(t, () => remove(id, CRIAR))
    await missing(t, () => remove(id, UNKNOWN_ID))
    await missing(t, () => remove(UNKNOWN_ID, LISTAR))
    assert.deepEqual(await invalid(t, () => remove(0, 'um')), ['id TOO_SMALL', 'permissao_id INVALID_TYPE'])
  })

  it('happens once when five requests ask for it at the same time', async () => {
    const { id } = await newGrupo({ permissoes_ids: [LISTAR] })
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id, LISTAR)))
    assert.deepEqual(tally(answers), { 204: 1, 404: 4 })
  })
})
