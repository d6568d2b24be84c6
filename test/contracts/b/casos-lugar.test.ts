import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { problems } from '../refusals.ts'
import { consultaApp } from './casos-consulta-app.ts'

/** The work list of cases whose place is not known, which no account of a municipality sees. */
const { t, vigilante, newCaso, exclude, bound, read } = await consultaApp()
const { pool } = t.database
after(() => t.close())

/** As an import of SINAN leaves them. */
async function newUnplaced(estado: string | null, more: object = {}): Promise<number> {
  const id = await newCaso(more)
  await pool.run(
    sql`update casos set municipio_residencia = null, estado_residencia = ${estado} where id = ${id}`,
  )
  return id
}

await newCaso()
const pernambuco = await newUnplaced('PE', { data_notificacao: '2024-01-12' })
const bahia = await newUnplaced('BA', { data_notificacao: '2024-01-11', tipo_agravo: 'zika' })
const nowhere = await newUnplaced(null, { data_notificacao: '2024-01-13' })
await exclude(await newUnplaced('PE'))
await newCaso({ municipio_residencia: 'Rio Branco', estado_residencia: 'AC' })

const list = async (query: Record<string, string> = {}, who: Person = vigilante) => {
  const { tipos, total } = await read('/agravos/casos', { lugar: 'desconhecido', ...query }, who)
  return { ids: tipos.map(({ id }: { id: number }) => id), total }
}

describe('lugar=desconhecido', () => {
  it('lists the cases without a municipality, with a state or without, and counts them exactly', async () => {
    assert.deepEqual(await list(), { ids: [nowhere, pernambuco, bahia], total: 3 })
    assert.deepEqual(await list({ sort: 'data_notificacao', order: 'asc' }), {
      ids: [bahia, pernambuco, nowhere],
      total: 3,
    })
    assert.deepEqual(await list({ size: '1', page: '2' }), { ids: [pernambuco], total: 3 })
  })

  it('is one filter among others', async () => {
    assert.deepEqual(await list({ estado: 'BA' }), { ids: [bahia], total: 1 })
    assert.deepEqual(await list({ agravo_codigo: 'dengue', data_inicio: '2024-01-13' }), {
      ids: [nowhere],
      total: 1,
    })
    assert.deepEqual(await list({ municipio: 'Recife' }), { ids: [], total: 0 })
    const search = JSON.stringify({ or: [{ lugar: 'desconhecido' }, { estado: 'AC' }] })
    assert.equal((await read('/agravos/casos', { search })).total, 4)
  })

  it('shows to a state its own, to a municipality none, and the rest to those without a territory', async () => {
    assert.deepEqual(await list({}, await bound(['uf:PE'])), { ids: [pernambuco], total: 1 })
    assert.deepEqual(await list({}, await bound(['uf:PE', 'uf:BA'])), { ids: [pernambuco, bahia], total: 2 })
    assert.deepEqual(await list({}, await bound(['municipio:2611606'])), { ids: [], total: 0 })
    assert.deepEqual(await list({}, await bound(['regiao_saude:26010'])), { ids: [], total: 0 })
  })

  it('counts the same in the summary', async () => {
    const resumo = '/agravos/casos/estatisticas/resumo'
    for (const who of [vigilante, await bound(['uf:PE'])])
      assert.equal((await read(resumo, { lugar: 'desconhecido' }, who)).total, (await list({}, who)).total)
  })

  it('loses a case that gets its place', async () => {
    const id = await newUnplaced('PE')
    assert.equal((await list()).total, 4)
    const place = { municipio_residencia: 'Olinda', estado_residencia: 'PE' }
    assert.equal((await t.as(vigilante).put(`/agravos/casos/${id}`, place)).status, 200)
    assert.equal((await list()).total, 3)
  })

  for (const [query, expected] of [
    ['lugar=conhecido', 'lugar INVALID_VALUE'],
    ['lugar=', 'lugar INVALID_VALUE'],
    ['lugar[ne]=desconhecido', 'lugar[ne] UNKNOWN_OPERATOR'],
  ] as const)
    it(`refuses ${query} with 422`, async () => {
      const { status, body } = await t.as(vigilante).get(`/agravos/casos?${query}`)
      assert.deepEqual([status, problems(body.error.details)], [422, [expected]])
    })
})
