import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { receiver, webhooksApp } from '../../contracts/b/webhooks-app.ts'

const { t, admin, newCaso, change, newWebhook, deliver, remove } = await webhooksApp()
after(() => t.close())

const SALVADOR = { municipio_residencia: 'Salvador', estado_residencia: 'BA' }

describe('the filters of a webhook', () => {
  for (const [what, filtros, expected] of [
    ['none', {}, ['recife', 'salvador', 'zika', 'recife']],
    ['empty ones', { estado: [], municipio: [], tipo_agravo: [] }, ['recife', 'salvador', 'zika', 'recife']],
    ['one disease', { tipo_agravo: 'zika' }, ['zika']],
    ['several diseases', { tipo_agravo: ['zika', 'chikungunya'] }, ['zika']],
    ['a state that a case leaves', { estado: 'PE' }, ['recife', 'zika', 'recife']],
    ['a state that a case comes to', { estado: ['BA', 'SE'] }, ['salvador', 'recife']],
    ['a municipality by six digits', { municipio: '261160' }, ['recife', 'zika', 'recife']],
    ['municipalities', { municipio: ['2927408', '2507507'] }, ['salvador', 'recife']],
    ['a disease in a state', { tipo_agravo: 'dengue', estado: 'PE' }, ['recife', 'recife']],
  ] as [string, object, string[]][])
    it(`let pass what they ask for, and a case that moves at both ends: ${what}`, async () => {
      const them = await receiver()
      const { id } = await newWebhook({ url: them.url, filtros })
      const casos = {
        recife: await newCaso(),
        salvador: await newCaso(SALVADOR),
        zika: await newCaso({ tipo_agravo: 'zika' }),
      }
      await deliver()
      await change(casos.recife, SALVADOR)
      await deliver()
      const nameOf = (caso: number) => Object.entries(casos).find(([, one]) => one === caso)?.[0]
      assert.deepEqual(
        them.deliveries.map(({ body }) => nameOf(body.dados.id)).toSorted(),
        expected.toSorted(),
      )
      await remove(id)
    })

  it('hold back nothing that is not about a case', async () => {
    const them = await receiver()
    const filtros = { estado: 'AC', tipo_agravo: 'zika' }
    const { id } = await newWebhook({ url: them.url, eventos: ['usuario.desativado'], filtros })
    const who = await t.person()
    await t.as(admin).post(`/usuarios/${who.id}/desativar`)
    await deliver()
    assert.deepEqual(them.types(), ['usuario.desativado'])
    await remove(id)
  })
})
