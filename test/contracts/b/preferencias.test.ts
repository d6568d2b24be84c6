import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Person, testApp } from '../../harness/app.ts'

const t = await testApp()
const ana = await t.person({ grupos: ['usuario'] })
const bia = await t.person()
after(() => t.close())

const PATH = '/usuarios/me/preferencias'
const chosen = async (who: Person) =>
  (await t.as(who).get('/usuarios/me?include=preferencias')).body.preferencias
const stored = () => t.database.pool.rows(sql`select * from preferencias order by usuario_id`)

describe('PUT /usuarios/me/preferencias', () => {
  it('changes what is sent and keeps the rest, for the own account alone', async () => {
    assert.deepEqual(await chosen(ana), {})
    const first = await t.as(ana).put(PATH, { tema: 'escuro', teclas: false })
    assert.equal(first.status, 200)
    assert.deepEqual(first.body, { tema: 'escuro', teclas: false })
    const second = await t.as(ana).patch(PATH, {
      tema: 'claro',
      idioma: null,
      densidade: 'compacta',
      fator_adiado: true,
    })
    const all = { tema: 'claro', teclas: false, idioma: null, densidade: 'compacta', fator_adiado: true }
    assert.deepEqual(second.body, all)
    assert.deepEqual(await chosen(ana), all)
    assert.deepEqual(await chosen(bia), {})
  })

  it('keeps the place that the painel opens with', async () => {
    for (const territorio of ['uf:PE', 'regiao_saude:26001', 'municipio:2611606', null])
      assert.equal((await t.as(ana).put(PATH, { territorio })).body.territorio, territorio)
  })

  it('is part of the profile for those who ask', async () => {
    await t.as(bia).put(PATH, { idioma: 'es-ES' })
    const { body } = await t.as(bia).get('/usuarios/me?include=preferencias')
    assert.deepEqual(body.preferencias, { idioma: 'es-ES' })
    assert.equal((await t.as(bia).get('/usuarios/me')).body.preferencias, undefined)
  })

  it('refuses unknown names and values, naming them, and changes nothing', async () => {
    const before = await stored()
    for (const [body, field] of [
      [{ tema: 'roxo' }, 'tema'],
      [{ idioma: 'fr-FR' }, 'idioma'],
      [{ teclas: 'sim' }, 'teclas'],
      [{ densidade: null }, 'densidade'],
      [{ fator_adiado: 'sim' }, 'fator_adiado'],
      [{ cor: 'azul' }, 'cor'],
      [{ territorio: 'uf:XX' }, 'territorio'],
      [{ territorio: 'municipio:1' }, 'territorio'],
      [{ territorio: 'Recife' }, 'territorio'],
      [{ tema: 'claro', cor: 'x'.repeat(9_000) }, 'cor'],
    ] as const) {
      for (const change of [t.as(ana).put, t.as(ana).patch]) {
        const answer = await change(PATH, body)
        assert.equal(answer.status, 422, JSON.stringify(body).slice(0, 60))
        assert.equal(answer.body.error.details[0].field, field)
      }
    }
    assert.equal((await t.as(ana).put(PATH, [])).status, 422)
    assert.deepEqual(await stored(), before)
  })

  it('keeps two changes at once', async () => {
    await Promise.all([
      t.as(bia).put(PATH, { tema: 'escuro' }),
      t.as(bia).put(PATH, { densidade: 'compacta' }),
      t.as(bia).put(PATH, { teclas: true }),
    ])
    assert.deepEqual(await chosen(bia), {
      idioma: 'es-ES',
      tema: 'escuro',
      densidade: 'compacta',
      teclas: true,
    })
  })

  it('is for accounts, and goes with them', async () => {
    assert.equal((await t.anonymous.put(PATH, { tema: 'claro' })).status, 401)
    await t.database.pool.run(sql`delete from usuarios where id = ${bia.id}`)
    assert.equal((await stored()).length, 1)
  })
})
