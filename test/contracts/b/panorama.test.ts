import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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

describe('GET /agravos/panorama, of cases whose place is unknown', () => {
  interface Lugar {
    codigo: string | null
    nome: string | null
    total: number | null
    em_investigacao: number | null
    suprimido: boolean
  }
  /** As old files leave them; the API itself takes no case without a place. */
  async function newCasos(ano: number, total: number, unknown: 'municipio' | 'estado' | null): Promise<void> {
    for (let i = 0; i < total; i++) {
      const id = await newCaso({ data_notificacao: `${ano}-05-10` })
      if (unknown !== null)
        await t.database.pool.run(sql`update casos set municipio_residencia = null where id = ${id}`)
      if (unknown === 'estado')
        await t.database.pool.run(sql`update casos set estado_residencia = null where id = ${id}`)
    }
  }
  async function panorama(query: string): Promise<{ total: Lugar; lugares: Lugar[] }> {
    const { status, body, text } = await ask(`tipo_agravo=dengue&${query}`)
    assert.equal(status, 200, text)
    return body
  }
  const byCodigo = ({ lugares }: { lugares: Lugar[] }) =>
    Object.fromEntries(lugares.map(({ codigo, nome, total }) => [String(codigo), [nome, total]]))

  before(async () => {
    await newCasos(2022, 9, null)
    await newCasos(2022, 6, 'municipio')
    await newCasos(2022, 7, 'estado')
    await newCasos(2021, 9, null)
    await newCasos(2021, 2, 'municipio')
    await newCasos(2021, 3, 'estado')
  })

  it('has a line without a code for an unknown state, and the total has them all', async () => {
    const body = await panorama('ano=2022')
    assert.deepEqual(byCodigo(body), { PE: ['Pernambuco', 15], null: [null, 7] })
    assert.equal(body.total.total, 22)
  })

  it('has one for the unknown municipalities of a state, and leaves out who has no state', async () => {
    const body = await panorama('ano=2022&estado=PE')
    assert.deepEqual(byCodigo(body), { 2611606: ['Recife', 9], null: [null, 6] })
    assert.equal(body.total.total, 15)
  })

  it('hides a small number of unknown municipalities, and the next smallest with it', async () => {
    const { lugares, total } = await panorama('ano=2021&estado=PE')
    assert.deepEqual(byCodigo({ lugares }), { 2611606: ['Recife', null], null: [null, null] })
    assert.equal(total.total, 11)
    assert.ok(lugares.every(({ em_investigacao, suprimido }) => em_investigacao === null && suprimido))
  })

  it('hides the classes of a small number without a state', async () => {
    const unknown = (await panorama('ano=2021')).lugares.find(({ codigo }) => codigo === null)
    assert.deepEqual([unknown?.em_investigacao, unknown?.suprimido], [null, true])
  })

  it('shows those cases themselves to nobody who is bound to another place', async () => {
    const { body } = await t.as(acre).get('/agravos/casos?size=100')
    assert.equal(body.total, 0)
  })
})
