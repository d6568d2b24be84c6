import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { alertasApp } from './alertas-app.ts'

const app = await alertasApp()
const { t, pool, outbreak, compute, stored, told, events, ended, semana } = app
after(() => t.close())

const DAY_MS = 86_400_000
/** A week with fewer cases than any level needs, then growth. */
const GROWTH = [1, 1, 2, 4, 8, 16, 30, 60]

describe('The computation of alerts', () => {
  it('finds nothing without cases, and is then complete for the week', async () => {
    assert.deepEqual(await compute(), { semana: ended, lugares: 0, niveis: 0, alertas: 0 })
    assert.equal(await pool.value(sql`select semana_completa from alertas_execucao`), ended)
  })

  it('judges municipality, region, state and country, and tells each that is not green', async () => {
    await outbreak(GROWTH)
    const { lugares, niveis, alertas } = await compute()
    assert.deepEqual([lugares, niveis, alertas], [4, 48, 4])
    const rows = await stored()
    assert.deepEqual([...new Set(rows.map(({ lugar }) => lugar))], ['', '26010', '2611606', 'PE'])
    const recife = rows.filter(({ lugar }) => lugar === '2611606')
    assert.deepEqual(
      recife.map((row) => row.semana),
      Array.from({ length: 12 }, (_, i) => ended - 11 + i),
    )
    assert.equal(recife.at(-1)?.nivel, 'laranja')
    assert.deepEqual(
      (await told()).map(({ lugar, nivel, nivel_anterior, ...one }) => [
        lugar,
        nivel,
        nivel_anterior,
        one.semana,
      ]),
      [
        ['2611606', 'laranja', null, semana],
        ['26010', 'laranja', null, semana],
        ['PE', 'laranja', null, semana],
        ['', 'laranja', null, semana],
      ],
    )
    const [first] = await events()
    assert.equal((await events()).length, 4)
    assert.deepEqual(first?.dados.lugar, {
      nivel: 'municipio',
      codigo: '2611606',
      nome: 'Recife',
      estado: 'PE',
    })
  })

  it('says the same again, and no event', async () => {
    const before = [await stored(), await told(), await events()]
    await pool.run(sql`update alertas_execucao set semana_completa = null`)
    const { lugares, niveis, alertas } = await compute()
    assert.deepEqual([lugares, niveis, alertas], [4, 0, 0])
    assert.deepEqual([await stored(), await told(), await events()], before)
  })
  void DAY_MS
})
