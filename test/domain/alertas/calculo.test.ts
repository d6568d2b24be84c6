import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { semanaAt } from '../../../src/brasil/epi-week.ts'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { alertasApp } from './alertas-app.ts'

const app = await alertasApp()
const { t, pool, outbreak, compute, stored, told, events, ended, semana } = app
after(() => t.close())

const OLINDA = 2609600
/** A week with fewer cases than any level needs, then growth. */
const GROWTH = [1, 1, 2, 4, 8, 16, 30, 60]
const levels = async () =>
  (await told()).map(({ lugar, nivel, nivel_anterior, ...one }) => [lugar, nivel, nivel_anterior, one.semana])
/** All that a computation leaves behind, without the ids that its order gives. */
const everything = async () => ({
  niveis: (await stored()).map(({ calculado_em: _when, ...row }) => row),
  alertas: (await told()).map(({ id: _id, ...row }) => row),
  eventos: (await events()).map(({ dados: { id: _id, ...dados }, ...evento }) => ({ ...evento, dados })),
})

describe('The computation of alerts', () => {
  it('finds nothing without cases, and is then complete for the week', async () => {
    assert.deepEqual(await compute(), { semana: ended, lugares: 0, niveis: 0, alertas: 0 })
    assert.equal(await pool.value(sql`select semana_completa from alertas_execucao`), ended)
  })

  it('is undone with the part it was killed in, and done again by the next one, which tells nothing twice', async () => {
    await outbreak(GROWTH)
    let parts = 0
    const killed = compute({
      async done() {
        parts += 1
        if (parts === 2) throw new Error('killed')
      },
    })
    await assert.rejects(killed, /killed/)
    assert.deepEqual(
      [...new Set((await stored()).map(({ lugar }) => lugar))],
      ['26010', '2611606', 'PE'],
      'the part before is stored',
    )
    assert.equal((await events()).length, 3)
    assert.equal(await pool.value(sql`select count(*) from casos_lugares_mudados`), 1, 'the mark stays')
    await compute()
    assert.equal(await pool.value(sql`select count(*) from casos_lugares_mudados`), 0)
    assert.equal((await events()).length, 4)
  })

  it('judges municipality, region, state and country, and tells each that is not green', async () => {
    const rows = await stored()
    assert.deepEqual([...new Set(rows.map(({ lugar }) => lugar))], ['', '26010', '2611606', 'PE'])
    const recife = rows.filter(({ lugar }) => lugar === '2611606')
    assert.deepEqual(
      recife.map((row) => row.semana),
      Array.from({ length: 12 }, (_, i) => ended - 11 + i),
    )
    assert.equal(recife.at(-1)?.nivel, 'laranja')
    assert.deepEqual(await levels(), [
      ['2611606', 'laranja', null, semana],
      ['26010', 'laranja', null, semana],
      ['PE', 'laranja', null, semana],
      ['', 'laranja', null, semana],
    ])
    const [first] = await events()
    const { lugar, ...dados } = first?.dados ?? {}
    assert.deepEqual(lugar, { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' })
    assert.deepEqual(Object.keys(dados).sort(), [
      ...[
        'casos',
        'casos_estimados',
        'id',
        'incidencia',
        'limite_superior',
        'motivos',
        'nivel',
        'nivel_anterior',
      ],
      ...['p_rt_maior_1', 'qualidade', 'semana', 'tipo_agravo'],
    ])
  })

  it('says the same again of the same data, and no event', async () => {
    const before = [await stored(), await told(), await events()]
    await pool.run(sql`update alertas_execucao set semana_completa = null`)
    const { lugares, niveis, alertas } = await compute()
    assert.deepEqual([lugares, niveis, alertas], [4, 0, 0])
    assert.deepEqual([await stored(), await told(), await events()], before)
  })

  it('computes only the places whose cases changed, with what holds them', async () => {
    assert.equal((await compute()).lugares, 0)
    await outbreak([1], { municipio: OLINDA })
    assert.equal((await compute()).lugares, 4, 'Olinda, its region, its state and the country')
    await outbreak([1], { municipio: null })
    assert.equal((await compute()).lugares, 2, 'a case of an unknown municipality')
    await outbreak([1], { municipio: null, uf: null })
    assert.equal((await compute()).lugares, 1, 'and of an unknown state')
  })

  it('keeps the mark of a place that changes while it is computed', async () => {
    await outbreak([1], { municipio: OLINDA })
    let isDone = false
    await compute({
      async done() {
        if (isDone) return
        isDone = true
        await outbreak([1], { municipio: OLINDA })
        const { foldContagens } = await import('../../../src/domain/casos/counters/counters.ts')
        await foldContagens(pool)
      },
    })
    assert.equal((await compute()).lugares, 4)
    assert.equal((await compute()).lugares, 0)
  })

  it('tells a level that data change in a week that was told, once, and says that they did', async () => {
    const before = (await told()).length
    await pool.run(sql`update casos set classificacao_final = 'descartado', excluido_em = now()
      where municipio_residencia = 2611606`)
    await compute()
    const lowered = (await told()).slice(before)
    assert.deepEqual(lowered[0], {
      ...lowered[0],
      lugar: '2611606',
      nivel: 'verde',
      nivel_anterior: 'laranja',
      motivos: ['dados_alterados'],
    })
    assert.deepEqual(new Set(lowered.map(({ lugar }) => lugar)), new Set(['2611606', '26010', 'PE', '']))
    await compute()
    assert.equal((await told()).length, before + lowered.length)
    await pool.run(sql`update casos set classificacao_final = null, excluido_em = null
      where municipio_residencia = 2611606`)
    await compute()
    const raised = (await told()).findLast(({ lugar }) => lugar === '2611606')
    assert.deepEqual([raised?.nivel, raised?.nivel_anterior], ['laranja', 'verde'])
    assert.ok(raised?.motivos.includes('dados_alterados'))
  })

  it('has the same rows whether places change one after the other or all at once', async () => {
    const grown = await everything()
    await pool.run(sql`truncate alertas_niveis, alertas, nowcast_parametros`)
    await pool.run(sql`update alertas_execucao set semana_completa = null`)
    await compute()
    assert.deepEqual((await everything()).niveis, grown.niveis)
  })

  it('leaves nothing but green behind where the cases are gone', async () => {
    await pool.run(sql`truncate casos cascade`)
    await compute()
    const now = (await stored()).filter((row) => row.semana === ended)
    assert.ok(now.length >= 4)
    assert.deepEqual(new Set(now.map(({ nivel }) => nivel)), new Set(['verde']))
    const latest = new Map((await told()).map(({ lugar, nivel }) => [lugar, nivel]))
    assert.deepEqual(new Set(latest.values()), new Set(['verde']))
  })

  it('keeps levels for five years', async () => {
    await pool.run(sql`
      insert into alertas_niveis select tipo_agravo, ${ended} - n, 'XX', nivel, motivos, casos, casos_estimados, incidencia,
        p_rt_maior_1, limite_superior, qualidade, regra_versao, calculado_em
      from (select * from alertas_niveis limit 1) um, unnest(array[259, 260, 261, 900]) n`)
    await cleanUp(t.app)
    const ages = (await stored()).filter(({ lugar }) => lugar === 'XX').map((row) => ended - row.semana)
    assert.deepEqual(ages, [260, 259])
    await pool.run(sql`delete from alertas_niveis where lugar = 'XX'`)
  })

  it('judges the next week for every place, from its Sunday on at three in Brasília', async () => {
    await outbreak(GROWTH)
    await compute()
    const sunday = Date.parse(`${semanaAt(ended + 1).fim}T00:00:00Z`) + 86_400_000
    t.clock.advance(sunday + 5 * 3_600_000 - t.clock.now().getTime())
    assert.deepEqual(
      [(await compute()).lugares, (await compute()).semana],
      [0, ended + 1],
      'two in the morning',
    )
    t.clock.advance(3_600_000)
    const { lugares, semana: week } = await compute()
    assert.ok(lugares >= 4)
    assert.equal(week, ended + 1)
    assert.equal((await compute()).lugares, 0)
  })
})
