import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sundayOfWeek } from '../../../src/brasil/epi-week.ts'
import type { DelayedCases } from '../../../src/domain/casos/counters/semanas.ts'
import { atrasosOf } from '../../../src/domain/epidemiologia/atrasos.ts'
import {
  covers,
  hasFewCases,
  intervalScore,
  isDoubtful,
  lacksDates,
  ofCompleteness,
  ofModel,
  trianguloOf,
  weeksOfNowcast,
} from '../../../src/domain/epidemiologia/nowcast.ts'
import { estimateHyperparameters, fit } from '../../../src/statistics/nowcast.ts'
import { linhasDe } from './exemplos-diagrama.ts'
import * as exemplos from './exemplos-nowcast.ts'
import { weekOfCode } from './lugares.ts'

const trianguloDe = ({ vazias, triangulo }: exemplos.NowcastDeExemplo): number[][] => [
  ...Array.from({ length: vazias }, () => new Array<number>(13).fill(0)),
  ...(linhasDe(triangulo) as number[][]),
]

/** The cells of an example as they are counted. */
function atrasosDe(exemplo: exemplos.NowcastDeExemplo): {
  delays: DelayedCases[]
  last: number
  first: number
} {
  const last = weekOfCode(Number(exemplo.semana))
  const rows = trianguloDe(exemplo)
  const first = last - rows.length + 1
  const delays = rows.flatMap((row, i) =>
    row.map((total, atraso) => ({ inicio: sundayOfWeek(first + i), situacao: 'p' as const, atraso, total })),
  )
  return { delays: delays.filter(({ total }) => total > 0), last, first }
}

const near = (value: number, expected: number, within: number, text: string) =>
  assert.ok(Math.abs(value - expected) <= within, `${text}: ${value}, ${expected}`)

for (const [nome, exemplo] of Object.entries(exemplos))
  describe(`Nowcast of ${nome}`, () => {
    const { delays, last, first } = atrasosDe(exemplo)
    const triangulo = trianguloOf(delays, { last, first, isReconstructed: true })

    it('has the mode and the quantiles of the example', () => {
      const { a, b, objective } = fit(triangulo.rows, exemplo.hyperparameters)
      for (const [t, expected] of exemplo.a.entries()) near(a[t] as number, expected, 1e-3, `a of row ${t}`)
      for (const [d, expected] of exemplo.b.entries()) near(b[d] as number, expected, 1e-3, `b of delay ${d}`)
      near(objective, exemplo.objetivo, 1e-3, 'objective')
      const weeks = linhasDe(exemplo.semanas) as number[][]
      const found = weeksOfNowcast(triangulo, ofModel(triangulo, exemplo.hyperparameters), weeks.length)
      for (const [age, [conhecidos, ...quantis]] of weeks.entries()) {
        assert.equal(found[age]?.conhecidos, conhecidos)
        for (const [i, expected] of quantis.entries())
          near(
            found[age]?.quantis?.[i] as number,
            expected,
            Math.max(1, 0.01 * expected),
            `quantile ${i} at age ${age}`,
          )
      }
    })

    it('finds hyperparameters that are as good', () => {
      const own = estimateHyperparameters(triangulo.rows)
      assert.ok(fit(triangulo.rows, own).objective >= exemplo.objetivo - 0.05)
      const weeks = linhasDe(exemplo.semanas) as number[][]
      for (const [age, { quantis }] of weeksOfNowcast(
        triangulo,
        ofModel(triangulo, own),
        weeks.length,
      ).entries()) {
        const expected = weeks[age]?.[4] as number
        near(quantis?.[3] as number, expected, Math.max(1, 0.02 * expected), `median at age ${age}`)
      }
    })
  })

describe('Nowcasts', () => {
  const { delays, last, first } = atrasosDe(exemplos.PERNAMBUCO_202125)
  const time = { last, first, isReconstructed: false }
  const inicio = sundayOfWeek(last)

  it('are never below what is known now, undated cases included', () => {
    const late = { inicio, situacao: 'p' as const, atraso: 3, total: 5_000 }
    const undated = { inicio, situacao: 'p' as const, atraso: -1, total: 7 }
    const triangulo = trianguloOf([...delays, late, undated], time)
    const missing = ofModel(triangulo, exemplos.PERNAMBUCO_202125.hyperparameters)
    const [current, before] = weeksOfNowcast(triangulo, missing, 2)
    const known = triangulo.known.get(last) as number
    assert.equal(current?.conhecidos, known + 5_007)
    assert.ok(current?.quantis?.every((value) => value >= known + 5_007))
    assert.notEqual(before?.quantis?.[0], before?.quantis?.[6])
    const then = trianguloOf([...delays, late, undated], { ...time, isReconstructed: true })
    assert.equal(weeksOfNowcast(then, missing, 1)[0]?.conhecidos, known, 'as it was known on that Saturday')
  })

  it('need entry dates and cases, and borrow delays otherwise', () => {
    assert.equal(lacksDates(trianguloOf(delays, time)), false)
    const total = delays.reduce((sum, one) => sum + one.total, 0)
    assert.ok(lacksDates(trianguloOf([...delays, { inicio, situacao: 'p', atraso: -1, total }], time)))
    const few = [{ inicio, situacao: 'p' as const, atraso: 0, total: 4 }]
    const triangulo = trianguloOf(few, time)
    assert.ok(hasFewCases(triangulo))
    assert.equal(hasFewCases(trianguloOf(delays, time)), false)
    const [current, complete] = weeksOfNowcast(triangulo, ofCompleteness(triangulo, [0.25, 1]), 2)
    // Negative binomial with 4.5 successes of a quarter each: mean 13.5.
    assert.deepEqual(current?.quantis?.slice(2, 5), [12, 16, 22])
    assert.deepEqual(complete?.quantis, new Array(7).fill(0))
    assert.deepEqual(weeksOfNowcast(triangulo, null, 1), [{ week: last, conhecidos: 4, quantis: null }])
  })

  it('are doubtful beyond five times the recent cases', () => {
    const triangulo = trianguloOf([{ inicio, situacao: 'p', atraso: 0, total: 2 }], time)
    const estimated = (median: number) => [{ week: last, conhecidos: 2, quantis: new Array(7).fill(median) }]
    assert.equal(isDoubtful(triangulo, estimated(10)), false)
    assert.equal(isDoubtful(triangulo, estimated(11)), true)
  })

  it('are scored by their intervals', () => {
    const quantis = [0, 10, 20, 30, 40, 50, 60]
    // Half of |y − 30|, then (α/2) times width and penalty for 50, 80 and 95 %.
    const inside = (0.5 * 5 + 0.25 * 20 + 0.1 * 40 + 0.025 * 60) / 3.5
    near(intervalScore(quantis, 35), inside, 1e-9, 'inside')
    const outside = (0.5 * 40 + (0.25 * 20 + 30) + (0.1 * 40 + 20) + (0.025 * 60 + 10)) / 3.5
    near(intervalScore(quantis, 70), outside, 1e-9, 'outside')
    assert.deepEqual(
      [covers(quantis, 50, 40), covers(quantis, 50, 41), covers(quantis, 95, 61)],
      [true, false, false],
    )
  })
})

describe('Delays', () => {
  it('are a distribution with its median, and the completeness of each week', () => {
    const last = weekOfCode(202135)
    // Each week: half at once, a quarter after one week and after two.
    const delays = Array.from({ length: 60 }, (_, i) =>
      [4, 2, 2].map((total, atraso) => ({
        inicio: sundayOfWeek(last - i),
        situacao: 'p' as const,
        atraso,
        total: atraso <= i ? total : 0,
      })),
    ).flat()
    const { distribuicao, mediana_semanas, p90_semanas, motivo, por_semana } = atrasosOf(delays, {
      ended: last,
      semanas: 26,
      isReconstructed: false,
    })
    assert.equal(distribuicao?.length, 27)
    near(distribuicao?.[0]?.pct ?? 0, 50, 0.2, 'at once')
    near(distribuicao?.[1]?.acumulado_pct ?? 0, 75, 0.2, 'after a week')
    assert.deepEqual([mediana_semanas, p90_semanas, motivo], [0, 2, null])
    assert.deepEqual(por_semana.length, 26)
    assert.deepEqual(por_semana.at(-1)?.conhecidos, 4)
    near(por_semana.at(-1)?.completude ?? 0, 0.5, 0.002, 'the last week')
    assert.equal(por_semana[0]?.completude, 1)
    const none = atrasosOf(delays.slice(0, 6), { ended: last, semanas: 4, isReconstructed: false })
    assert.deepEqual([none.distribuicao, none.motivo], [null, 'poucos_casos'])
  })
})
