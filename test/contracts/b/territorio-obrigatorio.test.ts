import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PASSWORD } from '../../harness/app.ts'
import { PE, RECIFE, territorioApp } from './territorio-app.ts'

const { t, admin, person, placesOf, missing, refused } = await territorioApp({
  env: { TERRITORIO_OBRIGATORIO: 'on' },
})
after(() => t.close())

describe('an installation where every account needs a territory', () => {
  it('lets an account without one read and manage itself alone', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    const ana = await person({}, RECIFE)
    const { body } = await t.as(gestor).get('/usuarios?page=1')
    assert.deepEqual([body.total, body.items[0].id], [1, gestor.id])
    for (const id of [ana.id, admin.id, (await t.person()).id])
      await missing(() => t.as(gestor).put(`/usuarios/${id}`, { cargo: 'Médica' }))
    assert.equal((await t.as(gestor).put(`/usuarios/${gestor.id}`, { cargo: 'Médica' })).status, 200)
  })

  it('lets it make no account, with places or without', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    for (const more of [{}, { territorios: [] }, { territorios: [RECIFE] }]) {
      const conta = { nome: 'Bia', email: 'bia@teste.local', senha: PASSWORD, ...more }
      await refused(() => t.as(gestor).post('/usuarios', conta), 403, 'OUT_OF_TERRITORY')
    }
  })

  it('has administrators give the first place, which holds from the next request on', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    const ana = await person({}, RECIFE)
    const path = `/usuarios/${gestor.id}/territorios`
    assert.equal((await t.as(gestor).get(`/usuarios/${ana.id}`)).status, 404)
    assert.equal((await t.as(admin).put(path, { territorios: [PE] })).status, 200)
    assert.equal((await t.as(gestor).get(`/usuarios/${ana.id}`)).status, 200)
    assert.equal((await t.as(admin).put(path, { territorios: [] })).status, 200)
    assert.deepEqual(await placesOf(gestor), [])
    assert.equal((await t.as(gestor).get(`/usuarios/${ana.id}`)).status, 404)
  })
})
