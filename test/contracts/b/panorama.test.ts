import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, newCaso, bound } = await consultaApp()
after(() => t.close())

const acre = await bound(['uf:AC'])
await t.database.pool.run(sql`
  insert into usuarios_permissoes select ${acre.id}, id from permissoes where nome = 'agravos.panorama'`)

const LUGARES = { Recife: 9, Olinda: 7, Caruaru: 2 }
for (const [municipio_residencia, casos] of Object.entries(LUGARES))
  for (let i = 0; i < casos; i++)
    await newCaso({ municipio_residencia, ...(i === 0 && { hospitalizacao: true }) })
await newCaso({ data_notificacao: '2023-12-31' })
await newCaso({ tipo_agravo: 'zika' })

const ask = (query: string) => t.as(acre).get(`/agravos/panorama?${query}`)

describe('GET /agravos/panorama', () => {
  it('counts a disease and a year by state, beyond the territory of the caller', async () => {
    const { status, body } = await ask('tipo_agravo=dengue&ano=2024')
    assert.equal(status, 200)
    assert.deepEqual([body.nivel, body.minimo, body.total.total], ['estado', 5, 18])
    assert.deepEqual(
      body.lugares.map(({ codigo, nome, total }: Record<string, unknown>) => [codigo, nome, total]),
      [['PE', 'Pernambuco', 18]],
    )
  })

  it('hides small numbers of municipalities, and what would reveal them', async () => {
    const { body } = await ask('tipo_agravo=dengue&ano=2024&estado=PE')
    const totals = Object.fromEntries(
      body.lugares.map(({ nome, total, suprimido }: Record<string, unknown>) => [nome, [total, suprimido]]),
    )
    assert.deepEqual(totals, { Recife: [9, true], Olinda: [null, true], Caruaru: [null, true] })
    assert.equal(body.total.total, 18)
    for (const { hospitalizados } of body.lugares) assert.equal(hospitalizados, null)
  })

  it('takes one disease and one whole year, and no other filter', async () => {
    for (const query of [
      'ano=2024',
      'tipo_agravo=dengue',
      'tipo_agravo=gripe&ano=2024',
      'tipo_agravo=dengue&ano=24',
      'tipo_agravo=dengue&ano=2024&estado=XX',
    ])
      assert.equal((await ask(query)).status, 422, query)
    const [plain, filtered] = [
      await ask('tipo_agravo=dengue&ano=2024'),
      await ask('tipo_agravo=dengue&ano=2024&sexo=F'),
    ]
    assert.deepEqual(filtered.body, plain.body)
  })
})
