import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { invalid, missing, tally } from '../refusals.ts'
import { gruposApp } from './grupos-app.ts'

const { t, admin, newGrupo, getGrupo, membros, addMembro, permissao, padrao } = await gruposApp()
after(() => t.close())

const UNKNOWN_ID = 2_000_000_000
const ana = await t.person()
const bruno = await t.person({ grupos: ['usuario'] })

const remove = (id: number | string, query = '') => t.as(admin).delete(`/grupos/${id}${query}`)

async function newGrupoWith(...pessoas: { id: number }[]) {
  const grupo = await newGrupo({ permissoes_ids: [permissao('agravos.listar')] })
  for (const { id } of pessoas) await addMembro(grupo.id, id)
  return grupo
}

describe('DELETE /grupos/{id}', () => {
  it('removes a group without users and answers nothing', async () => {
    const { id, nome } = await newGrupoWith()
    const { status, text } = await remove(id)
    assert.deepEqual([status, text], [204, ''])
    await missing(t, () => t.as(admin).get(`/grupos/${id}`))
    await missing(t, () => remove(id))
    assert.notEqual((await newGrupo({ nome })).id, id)
  })

  it('answers 404 for a group that does not exist', async () => {
    await missing(t, () => remove(UNKNOWN_ID, '?force=true'))
  })

  for (const query of ['', '?force=true', `?transferir_usuarios=${padrao('usuario')}`])
    it(`never removes a default group ${query && `, also not with ${query}`}`, async () => {
      for (const nome of ['admin', 'gestor', 'analista', 'visualizador'])
        assert.deepEqual(await invalid(t, () => remove(padrao(nome), query)), ['id PROTECTED'])
    })

  for (const query of ['', '?force=false'])
    it(`keeps a group that has users and tells how many ${query}`, async () => {
      const { id } = await newGrupoWith(ana, bruno)
      assert.deepEqual(await invalid(t, () => remove(id, query)), ['id IN_USE'])
      const [detail] = (await remove(id, query)).body.error.details
      assert.equal(detail.total_usuarios, 2)
      assert.deepEqual(await membros(id), [ana.id, bruno.id])
    })

  it('with `force` removes a group that has users, who keep their accounts and other groups', async () => {
    const { id } = await newGrupoWith(ana, bruno)
    assert.equal((await remove(id, '?force=true')).status, 204)
    await missing(t, () => t.as(admin).get(`/grupos/${id}`))
    assert.deepEqual(await membros(padrao('usuario')), [bruno.id])
    assert.equal((await t.as(ana).get('/usuarios/me')).status, 200)
  })

  for (const query of ['', '&force=true', '&force=false'])
    it(`with \`transferir_usuarios\` moves the users first, nobody twice ${query}`, async () => {
      const from = await newGrupoWith(ana, bruno)
      const to = await newGrupoWith(bruno, admin)
      assert.equal((await remove(from.id, `?transferir_usuarios=${to.id}${query}`)).status, 204)
      assert.deepEqual(await membros(to.id), [admin.id, ana.id, bruno.id])
      assert.equal((await getGrupo(to.id)).total_usuarios, 3)
      await missing(t, () => t.as(admin).get(`/grupos/${from.id}`))
    })

  it('with `transferir_usuarios` removes a group without users as well', async () => {
    const from = await newGrupoWith()
    const to = await newGrupoWith(ana)
    assert.equal((await remove(from.id, `?transferir_usuarios=${to.id}`)).status, 204)
    assert.deepEqual(await membros(to.id), [ana.id])
  })

  it('does not transfer users to the group itself or to one that does not exist', async () => {
    const { id } = await newGrupoWith(ana)
    for (const target of [id, UNKNOWN_ID]) {
      const query = `?transferir_usuarios=${target}&force=true`
      assert.deepEqual(await invalid(t, () => remove(id, query)), ['transferir_usuarios UNKNOWN'])
    }
  })

  for (const [path, expected] of [
    ['um', ['id INVALID_TYPE']],
    ['0', ['id TOO_SMALL']],
    ['1?force=talvez', ['force INVALID_TYPE']],
    ['1?transferir_usuarios=um', ['transferir_usuarios INVALID_TYPE']],
    ['1?transferir_usuarios=0', ['transferir_usuarios TOO_SMALL']],
    [
      'um?transferir_usuarios=-1&force=2',
      ['id INVALID_TYPE', 'transferir_usuarios TOO_SMALL', 'force INVALID_TYPE'],
    ],
  ] as const)
    it(`refuses /grupos/${path} with 422`, async () => {
      assert.deepEqual(await invalid(t, () => remove(path)), expected)
    })

  it('happens once when five requests ask for it at the same time', async () => {
    const { id } = await newGrupoWith(ana)
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id, '?force=true')))
    assert.deepEqual(tally(answers), { 204: 1, 404: 4 })
  })

  it('loses nobody when two groups are removed at the same time, each into the other', async () => {
    for (let round = 0; round < 10; round++) {
      const one = await newGrupoWith(ana)
      const two = await newGrupoWith(bruno)
      const answers = await Promise.all([
        remove(one.id, `?transferir_usuarios=${two.id}`),
        remove(two.id, `?transferir_usuarios=${one.id}`),
      ])
      const [first] = answers
      // The later one finds itself, or its target, already gone.
      assert.ok([404, 422].some((status) => tally(answers)[status] === 1 && tally(answers)[204] === 1))
      const remaining = first.status === 204 ? two : one
      assert.deepEqual(await membros(remaining.id), [ana.id, bruno.id])
    }
  })

  it('leaves no member behind when people join at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await newGrupoWith(ana)
      const [removed, joined] = await Promise.all([
        remove(id, `?force=true`),
        t.as(admin).post(`/grupos/${id}/usuarios/${bruno.id}`),
      ])
      assert.equal(removed.status, 204)
      assert.ok([200, 404].includes(joined.status), joined.text)
      await missing(t, () => t.as(admin).get(`/grupos/${id}/usuarios`))
    }
  })
})
