import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { firstDayOf, semanaAt, weekOf } from '../../src/brasil/epi-week.ts'
import { casosOf, type LugarContado } from '../../src/domain/epidemiologia/serie.ts'
import { ears } from '../../src/statistics/ears.ts'
import { farrington } from '../../src/statistics/farrington.ts'
import { leveragesOf, quasiPoisson } from '../../src/statistics/quasi-poisson.ts'
import * as curvas from '../domain/epidemiologia/exemplos-curva.ts'
import { casosDoExemplo, linhasDe } from '../domain/epidemiologia/exemplos-diagrama.ts'
import { curvaDeExemplo, lugarDe, weekOfCode } from '../domain/epidemiologia/lugares.ts'
import {
  EARS_CHIKUNGUNYA_RECIFE,
  EARS_EXEMPLO,
  EARS_ZIKA_BRASIL,
  FARRINGTON_2024,
} from './exemplos-alarmes.ts'

const near = (value: number, exact: number, text: string, tolerance = 1e-6) =>
  assert.ok(
    Math.abs(value - exact) <= tolerance * Math.max(1, Math.abs(exact)),
    `${text}: ${value}, ${exact}`,
  )

/** The made-up series: 2014 to 2024. */
function madeUp(): LugarContado {
  const weeks = Array.from({ length: 574 }, (_, i) => weekOfCode(201401) + i)
  return lugarDe(
    weeks.map((week) => {
      const { codigo } = semanaAt(week)
      return [week, casosDoExemplo(Number(codigo.slice(0, 4)), Number(codigo.slice(4)))] as const
    }),
  )
}

/** Probable cases of each week from the first one with a case. */
function seriesOf({ serie }: LugarContado): { first: number; cases: number[] } {
  const [first, last] = [Math.min(...serie.keys()), Math.max(...serie.keys())]
  const cases = Array.from({ length: last - first + 1 }, (_, i) => casosOf(serie.get(first + i), 'provaveis'))
  return { first, cases }
}

describe('EARS', () => {
  const EXAMPLES = {
    'a made-up series': [EARS_EXEMPLO, madeUp()],
    'Zika in Brazil': [EARS_ZIKA_BRASIL, curvaDeExemplo(curvas.ZIKA_BRASIL)],
    'chikungunya in Recife': [EARS_CHIKUNGUNYA_RECIFE, curvaDeExemplo(curvas.CHIKUNGUNYA_RECIFE)],
  } as const
  for (const [name, [table, lugar]] of Object.entries(EXAMPLES))
    it(`gives the limits and alarms of ${name} that another program found`, () => {
      const { first, cases } = seriesOf(lugar)
      for (const row of linhasDe(table)) {
        const [codigo, casos, c1, isC1, c2, isC2, c3, isC3] = row as [number, ...number[]]
        const t = weekOfCode(codigo) - first
        const found = ears(cases, t)
        assert.equal(cases[t], casos, `${codigo}`)
        near(found.c1.limite, c1 as number, `C1 of ${codigo}`)
        near(found.c2.limite, c2 as number, `C2 of ${codigo}`)
        near(found.c3.valor, c3 as number, `C3 of ${codigo}`)
        assert.deepEqual(
          [found.c1.alarme, found.c2.alarme, found.c3.alarme],
          [isC1 === 1, isC2 === 1, isC3 === 1],
          `${codigo}`,
        )
      }
    })

  it('takes weeks before the first entry for 0, and needs more than one case after silence', () => {
    const limite = 0.5 * 3.090232
    assert.deepEqual(ears([1], 0), {
      c1: { limite, alarme: false },
      c2: { limite, alarme: false },
      c3: { valor: 1, alarme: false },
    })
    assert.deepEqual(ears([2], 0).c2, { limite, alarme: true })
    assert.deepEqual(ears([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2], 10), ears([2], 0))
  })

  it('leaves the two weeks before out of the baseline of C2, and no later week in', () => {
    const silence = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    assert.equal(ears([...silence, 50, 50, 3], 12).c2.limite, ears([...silence, 3], 10).c2.limite)
    assert.deepEqual(ears([...silence, 3, 99], 10), ears([...silence, 3], 10))
  })
})

describe('Flexible Farrington algorithm', () => {
  const { first, cases } = seriesOf(madeUp())
  const judge = (series: readonly number[], codigo: number) =>
    farrington(series, weekOfCode(codigo) - first, firstDayOf(String(codigo)))

  it('gives the expected cases, limits and alarms that R surveillance finds', () => {
    const rows = linhasDe(FARRINGTON_2024)
    assert.equal(rows.length, 52)
    for (const row of rows) {
      const [codigo, casos, esperado, limite, alarme] = row as [number, ...number[]]
      assert.equal(cases[weekOfCode(codigo) - first], casos)
      const found = judge(cases, codigo)
      near(found?.esperado ?? Number.NaN, esperado as number, `expected of ${codigo}`)
      assert.deepEqual([found?.limite, found?.alarme], [limite, alarme === 1], `${codigo}`)
    }
  })

  it('is null with fewer than five years before the week', () => {
    assert.equal(judge(cases, 201852), null)
    assert.notEqual(judge(cases, 201901), null)
  })

  it('raises no alarm with fewer than five cases in four weeks, and none without an excess', () => {
    const silence = new Array<number>(300).fill(0)
    const inicio = semanaAt(weekOf('2024-06-02')).inicio
    const last = (...weeks: number[]) => farrington([...silence, ...weeks], 299 + weeks.length, inicio)
    assert.deepEqual([last(0, 0, 0, 0)?.limite, last(0, 0, 0, 0)?.alarme], [0, false])
    assert.equal(last(1, 1, 1, 1)?.alarme, false)
    assert.equal(last(1, 1, 1, 2)?.alarme, true)
    assert.equal(last(2, 2, 2, 0)?.alarme, false)
  })

  it('does not let the last half year tell what is expected', () => {
    const t = weekOfCode(202445) - first
    const changed = cases.map((value, week) => (week >= t - 26 && week < t ? 10 * value : value))
    assert.deepEqual(judge(changed, 202445), judge(cases, 202445))
    const earlier = cases.map((value, week) => (week === t - 27 ? 10 * value : value))
    assert.notDeepEqual(judge(earlier, 202445), judge(cases, 202445))
  })

  it('drops a trend that leads beyond everything that was observed', () => {
    const growing = Array.from({ length: 300 }, (_, week) => Math.exp(week / 40))
    const found = farrington(growing, 299, semanaAt(weekOf('2024-06-02')).inicio)
    assert.ok((found?.esperado ?? Number.POSITIVE_INFINITY) <= (growing[299 - 27] as number))
  })

  it('is finite on any counts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 290, maxLength: 330 }), (series) => {
        const found = farrington(series, series.length - 1, '2024-06-02')
        assert.ok(found !== null && Number.isFinite(found.esperado) && Number.isInteger(found.limite))
        assert.ok(found.limite >= Math.floor(found.esperado))
      }),
      { numRuns: 30 },
    )
  })
})

describe('Quasi-Poisson regression', () => {
  it("is that of R on Dobson's randomised trial", () => {
    // The example of R's help page of glm: counts of nine cells, by outcome and treatment.
    const counts = [18, 17, 15, 20, 10, 20, 25, 13, 12]
    const observations = counts.map((response, i) => ({
      response,
      predictors: [
        1,
        ...[1, 2].map((k) => Number(i % 3 === k)),
        ...[1, 2].map((k) => Number(Math.floor(i / 3) === k)),
      ],
      weight: 1,
    }))
    const found = quasiPoisson(observations)
    assert.ok(found)
    for (const [i, expected] of [3.0445, -0.4543, -0.293, 0, 0].entries())
      assert.ok(Math.abs((found.coefficients[i] as number) - expected) < 1e-4, `coefficient ${i}`)
    near(found.dispersion, 5.1732 / 4, 'dispersion', 1e-4)
    // The shares add up to the number of coefficients.
    near(
      leveragesOf(observations, found).reduce((sum, share) => sum + share, 0),
      5,
      'leverages',
    )
  })
})
