import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { anoOfWeek, semanaAt, sundayOfWeek, weekOf } from '../../../src/brasil/epi-week.ts'
import { sql } from '../../../src/db/sql.ts'
import { linhasDe } from '../../domain/epidemiologia/exemplos-diagrama.ts'
import { PERNAMBUCO_202125 } from '../../domain/epidemiologia/exemplos-nowcast.ts'
import { weekOfCode } from '../../domain/epidemiologia/lugares.ts'
import { epidemiologiaApp, OLINDA, RECIFE } from './epidemiologia-app.ts'

const { t, insert, read, ask, bound } = await epidemiologiaApp()
after(() => t.close())

const today = dateInBrazil(t.clock.now())
const ended = weekOf(today) - 1
const EXAMPLE_END = weekOfCode(202125)
const rows = linhasDe(PERNAMBUCO_202125.triangulo) as number[][]
/** Zika in Pernambuco as in the example, all of it in Recife. */
const EXAMPLE = { tipo_agravo: 'zika', estado: 'PE', semana_conhecida: '202125' }

/** Cases of the triangle, with another last week. */
const casosDoTriangulo = (tipo: string, end: number) =>
  rows.flatMap((row, i) => {
    const week = end - rows.length + 1 + i
    const inicio = sundayOfWeek(week)
    return row.flatMap((total, delay) =>
      week + delay > end
        ? []
        : Array.from({ length: total }, () => ({
            tipo,
            inicio,
            notificacao: inicio,
            digitacao: addDays(inicio, 7 * delay),
          })),
    )
  })

before(async () => {
  await insert(casosDoTriangulo('zika', EXAMPLE_END))
  // An older case: the triangle has all its sixty weeks.
  await insert([{ tipo: 'zika', inicio: sundayOfWeek(EXAMPLE_END - 70) }])
  await insert(casosDoTriangulo('dengue', ended))
  await insert(
    Array.from({ length: 4 }, () => ({
      municipio: OLINDA,
      inicio: sundayOfWeek(ended),
      digitacao: addDays(sundayOfWeek(ended), 2),
    })),
  )
})

const problemsOf = async (query: Record<string, string | number>) => {
  const { status, body, text } = await ask('nowcast', { tipo_agravo: 'dengue', ...query })
  assert.equal(status, 422, text)
  return body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
}

describe('GET /agravos/casos/estatisticas/nowcast', () => {
  it('estimates the weeks of the example, as it was known then', async () => {
    const body = await read('nowcast', { ...EXAMPLE, semanas: 11 })
    const expected = linhasDe(PERNAMBUCO_202125.semanas) as number[][]
    assert.deepEqual(
      [body.metodo, body.disponivel, body.motivo, body.duvidoso, body.semana, body.reconstruido],
      ['modelo', true, null, false, '202125', true],
    )
    assert.equal(body.semanas.length, 11)
    for (const [
      age,
      { conhecidos, estimados, inferior_95, superior_95, completude, inicio },
    ] of body.semanas.entries()) {
      const [known = 0, low = 0, , , median = 0, , , high = 0] = expected[age] ?? []
      assert.equal(inicio, sundayOfWeek(EXAMPLE_END - age))
      assert.equal(conhecidos, known)
      // Its hyperparameters are its own: a little apart from those of the example.
      for (const [value, wanted] of [
        [estimados, median],
        [inferior_95, low],
        [superior_95, high],
      ])
        assert.ok(Math.abs(value - wanted) <= Math.max(2, 0.03 * wanted), `age ${age}: ${value}, ${wanted}`)
      assert.ok(Math.abs(completude - known / estimados) < 1e-6)
    }
    const { D, meia_vida, ln_tau_a } = body.parametros
    assert.deepEqual([D, meia_vida], [12, 8])
    assert.ok(Math.abs(ln_tau_a - PERNAMBUCO_202125.hyperparameters.lnTauRows) < 0.1)
  })

  it('keeps hyperparameters for the week, of whole places only, until the cases change', async () => {
    const stored = () =>
      t.database.pool.rows(sql`select lugar, casos, semana, total from nowcast_parametros order by 1, 2`)
    assert.deepEqual(await stored(), [], 'none of a past week')
    const first = await read('nowcast', { tipo_agravo: 'dengue', municipio: RECIFE })
    const total = rows.flat().reduce((sum, one) => sum + one, 0)
    const row = { lugar: String(RECIFE), casos: 'notificados', semana: ended }
    assert.deepEqual(await stored(), [{ ...row, total }])
    await t.database.pool.run(sql`update nowcast_parametros set ln_phi = 5`)
    const second = await read('nowcast', { tipo_agravo: 'dengue', municipio: RECIFE })
    assert.equal(second.parametros.ln_phi, 5)
    await t.database.pool.run(sql`update nowcast_parametros set total = total * 2`)
    const third = await read('nowcast', { tipo_agravo: 'dengue', municipio: RECIFE })
    assert.equal(third.parametros.ln_phi, first.parametros.ln_phi)
    assert.deepEqual(await stored(), [{ ...row, total }])
  })

  it('borrows the delays of the state where there are few cases, and says where that cannot be', async () => {
    const olinda = await read('nowcast', { tipo_agravo: 'dengue', municipio: OLINDA, semanas: 1 })
    assert.deepEqual(
      [olinda.metodo, olinda.parametros, olinda.semanas[0].conhecidos],
      ['emprestado', null, 4],
    )
    assert.ok(olinda.semanas[0].estimados > 4)
    const none = await read('nowcast', { tipo_agravo: 'chikungunya', municipio: OLINDA })
    assert.deepEqual(
      [none.disponivel, none.motivo, none.semanas[0].estimados, none.semanas[0].completude],
      [false, 'poucos_casos', null, null],
    )
    const inicio = sundayOfWeek(ended - 3)
    await insert(Array.from({ length: 60 }, () => ({ tipo: 'chikungunya', inicio, digitacao: null })))
    const undated = await read('nowcast', { tipo_agravo: 'chikungunya', estado: 'PE' })
    assert.deepEqual(
      [undated.disponivel, undated.motivo, undated.sem_data_de_digitacao, undated.semanas[3].conhecidos],
      [false, 'sem_datas_de_digitacao', 60, 60],
    )
  })

  it('evaluates itself with what was known then', async () => {
    const { avaliacao } = await read('nowcast', {
      tipo_agravo: 'zika',
      estado: 'PE',
      semana_conhecida: '202125',
      avaliar: 'true',
    })
    assert.ok(avaliacao.n > 0 && avaliacao.n <= 72)
    assert.ok(avaliacao.wis < avaliacao.wis_sem_correcao)
    assert.ok(avaliacao.cobertura_50 <= avaliacao.cobertura_95)
  })

  it('has the intervals that are asked for, as CSV too', async () => {
    const body = await read('nowcast', { ...EXAMPLE, semanas: 1, intervalos: '80' })
    assert.deepEqual(
      Object.keys(body.semanas[0]).filter((name) => name.includes('erior_')),
      ['inferior_80', 'superior_80'],
    )
    const { text } = await ask('nowcast', { ...EXAMPLE, semanas: 1, intervalos: '80', formato: 'csv' })
    assert.equal(
      text.slice(1).split('\r\n')[0],
      'semana;inicio;fim;conhecidos;estimados;inferior_80;superior_80;completude;incidencia_estimada',
    )
  })

  it('refuses what cannot be', async () => {
    assert.deepEqual(await problemsOf({ semana: semanaAt(ended + 1).codigo }), ['semana IN_FUTURE'])
    assert.deepEqual(await problemsOf({ semana: '202120', semana_conhecida: '202121' }), [
      'semana INCONSISTENT',
    ])
    assert.deepEqual(await problemsOf({ semana: '202160' }), ['semana INVALID_VALUE'])
    assert.deepEqual(await problemsOf({ casos: 'confirmados' }), ['casos INVALID_VALUE'])
    assert.equal((await problemsOf({ intervalos: '60' }))[0]?.split(' ')[0], 'intervalos')
    assert.equal((await problemsOf({ semanas: 13 }))[0]?.split(' ')[0], 'semanas')
  })

  it('counts what the territory of the account holds', async () => {
    const person = await bound([`municipio:${OLINDA}`])
    const body = await read('nowcast', { tipo_agravo: 'dengue', estado: 'PE', semanas: 1 }, person)
    assert.deepEqual([body.parcial, body.semanas[0].conhecidos], [true, 4])
  })
})

describe('GET /agravos/casos/estatisticas/atrasos', () => {
  it('has the delays of a place and the completeness of its weeks', async () => {
    const body = await read('atrasos', EXAMPLE)
    assert.equal(body.distribuicao.length, 27)
    assert.equal(body.distribuicao.at(-1).acumulado_pct, 100)
    assert.deepEqual([body.motivo, body.por_semana.length, body.sem_data_de_digitacao], [null, 26, 0])
    assert.equal(body.por_semana.at(-1).semana, '202125')
    assert.ok(body.mediana_semanas >= 1 && body.p90_semanas > body.mediana_semanas)
    const few = await read('atrasos', { tipo_agravo: 'zika', municipio: OLINDA })
    assert.deepEqual([few.distribuicao, few.mediana_semanas, few.motivo], [null, null, 'poucos_casos'])
  })
})

describe('Rt with the nowcast', () => {
  it('counts estimated cases in the last weeks, and says so', async () => {
    const query = { tipo_agravo: 'dengue', municipio: RECIFE }
    const [joined, plain] = [await read('rt', query), await read('rt', { ...query, nowcast: 'false' })]
    const [week, known] = [joined.semanas.at(-1), plain.semanas.at(-1)]
    assert.deepEqual([week.estimado, known.estimado], [true, false])
    assert.equal(week.casos, known.casos)
    assert.ok(week.casos_janela > known.casos_janela)
    assert.ok(week.rt > known.rt)
    assert.ok(week.inferior < week.mediana && week.mediana < week.superior)
    const older = joined.semanas.at(-13)
    assert.equal(older.estimado, false)
    assert.deepEqual(older, plain.semanas.at(-13))
  })
})

describe('Control diagram with the nowcast', () => {
  const query = { tipo_agravo: 'dengue', municipio: RECIFE }
  const years = [...new Set([ended - 11, ended].map(anoOfWeek))]
  const weeksOf = async (more: object): Promise<{ semana: string; estimados: number | null }[]> => {
    const bodies = await Promise.all(
      years.map((ano) => read('diagrama-controle', { ...query, ano, ...more })),
    )
    return bodies.flatMap(({ semanas }) => semanas)
  }

  it('expects of each of the last twelve weeks the share of its estimate that will not be discarded', async () => {
    await insert([
      ...Array.from({ length: 25 }, () => ({ inicio: sundayOfWeek(ended - 40), classe: 'descartado' })),
      ...Array.from({ length: 15 }, () => ({ inicio: sundayOfWeek(ended - 13), classe: 'descartado' })),
      // Too old and too new to tell the share.
      ...[41, 12].map((age) => ({ inicio: sundayOfWeek(ended - age), classe: 'descartado' })),
      // More confirmed than the share of the estimate would leave.
      ...Array.from({ length: 300 }, () => ({ inicio: sundayOfWeek(ended - 9), classe: 'confirmado' })),
    ])
    const { semanas: known } = await read('curva', {
      ...query,
      semana_inicio: semanaAt(ended - 40).codigo,
      semana_fim: semanaAt(ended - 13).codigo,
    })
    const total = (field: 'notificados' | 'descartados') =>
      known.reduce((sum: number, semana: Record<string, number>) => sum + (semana[field] as number), 0)
    assert.equal(total('descartados'), 40)
    const kept = 1 - total('descartados') / total('notificados')
    const { semanas: estimates, duvidoso } = await read('nowcast', { ...query, semanas: 12 })
    assert.equal(duvidoso, false)
    const weeks = await weeksOf({})
    for (const [age, { semana, estimados }] of estimates.entries()) {
      const expected = Math.max(age === 9 ? 300 : 0, kept * estimados)
      const found = weeks.find((week) => week.semana === semana)?.estimados ?? Number.NaN
      assert.ok(Math.abs(found - expected) < 1e-4, `age ${age}: ${found}, ${expected}`)
    }
    assert.ok((weeks.find(({ semana }) => semana === semanaAt(ended - 9).codigo)?.estimados ?? 0) >= 300)
    assert.equal(weeks.filter(({ estimados }) => estimados !== null).length, 12)
  })

  it('takes what is known where there is no estimate', async () => {
    const { semanas } = await read('diagrama-controle', {
      tipo_agravo: 'chikungunya',
      estado: 'PE',
      ano: anoOfWeek(ended - 3),
    })
    const { casos, estimados } = semanas.find(
      ({ semana }: { semana: string }) => semana === semanaAt(ended - 3).codigo,
    )
    assert.deepEqual([casos, estimados], [60, 60])
  })

  it('has no estimates of other cases than probable ones, of a past year, or as known then', async () => {
    const without = async (more: object) => (await weeksOf(more)).every(({ estimados }) => estimados === null)
    assert.equal(await without({}), false)
    for (const more of [
      { casos_ano: 'notificados' },
      { casos: 'confirmados' },
      { ano: (years[0] as number) - 1 },
      { semana_conhecida: semanaAt(ended).codigo },
    ])
      assert.ok(await without(more), JSON.stringify(more))
    assert.equal(await without({ casos: 'notificados', casos_ano: 'provaveis' }), false)
  })
})
