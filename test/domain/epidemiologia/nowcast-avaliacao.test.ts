import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sundayOfWeek } from '../../../src/brasil/epi-week.ts'
import type { DelayedCases } from '../../../src/domain/casos/counters/semanas.ts'
import { atrasosOf } from '../../../src/domain/epidemiologia/atrasos.ts'
import {
  covers,
  hasFewCases,
  hyperparametersOf,
  intervalScore,
  ofModel,
  QUANTIS,
  trianguloOf,
  weeksOfNowcast,
} from '../../../src/domain/epidemiologia/nowcast.ts'
import { sum } from '../../../src/statistics/summary.ts'
import * as exemplos from './exemplos-avaliacao.ts'
import { linhasDe } from './exemplos-diagrama.ts'
import { weekOfCode } from './lugares.ts'

const near = (value: number | null | undefined, expected: number, share: number, text: string) =>
  assert.ok(Math.abs((value ?? Number.NaN) - expected) <= share * expected, `${text}: ${value}, ${expected}`)

const weeksDe = ({ semanas }: exemplos.AvaliacaoDeExemplo) =>
  (linhasDe(semanas) as [number, ...number[]][]).map(([codigo, ...cases]) => ({
    week: weekOfCode(codigo),
    cases,
  }))

const delaysDe = (exemplo: exemplos.AvaliacaoDeExemplo): DelayedCases[] =>
  weeksDe(exemplo).flatMap(({ week, cases }) =>
    cases.flatMap((total, atraso) =>
      total === 0 ? [] : [{ inicio: sundayOfWeek(week), situacao: 'p' as const, atraso, total }],
    ),
  )

/** Scores of one nowcast after the other, each with what was known then, against all entries. */
function evaluated(exemplo: exemplos.AvaliacaoDeExemplo) {
  const delays = delaysDe(exemplo)
  const final = new Map(weeksDe(exemplo).map(({ week, cases }) => [week, sum(cases)]))
  const first = Math.min(...final.keys())
  const scores: { wis: number; uncorrected: number; in50: number; in95: number }[] = []
  for (let last = weekOfCode(202116); last <= weekOfCode(202138); last++) {
    const triangulo = trianguloOf(delays, { last, first, isReconstructed: true })
    assert.equal(hasFewCases(triangulo), false)
    const missing = ofModel(triangulo, hyperparametersOf(triangulo))
    for (const { week, conhecidos, quantis } of weeksOfNowcast(triangulo, missing, 6)) {
      const truth = final.get(week) ?? 0
      assert.ok(quantis)
      scores.push({
        wis: intervalScore(quantis, truth),
        uncorrected: intervalScore(
          QUANTIS.map(() => conhecidos),
          truth,
        ),
        in50: Number(covers(quantis, 50, truth)),
        in95: Number(covers(quantis, 95, truth)),
      })
    }
  }
  const mean = (measure: keyof (typeof scores)[number]) =>
    sum(scores.map((score) => score[measure])) / scores.length
  return {
    n: scores.length,
    ...{ wis: mean('wis'), uncorrected: mean('uncorrected'), in50: mean('in50'), in95: mean('in95') },
  }
}

for (const [nome, exemplo] of Object.entries(exemplos)) {
  describe(`Nowcasts of Zika in 2021, ${nome}`, () => {
    it('score as those of another program with the same model, and better than the published one', () => {
      const { n, wis, uncorrected, in50, in95 } = evaluated(exemplo)
      assert.equal(n, exemplo.n)
      near(uncorrected, exemplo.wisSemCorrecao, 1e-6, 'score without correction')
      near(wis, exemplo.wis, 0.01, 'score')
      assert.ok(wis <= 0.95 * exemplo.wisInfodengue, `${wis / exemplo.wisInfodengue} of the published model`)
      // A nowcast whose hyperparameters differ in the fourth digit may hold one week more or less.
      assert.ok(Math.abs(in95 - exemplo.cobertura95) <= 2 / n, `95 %: ${in95}`)
      assert.ok(Math.abs(in50 - exemplo.cobertura50) <= 3 / n, `50 %: ${in50}`)
    })
  })

  describe(`Delays of Zika in 2021, ${nome}`, () => {
    it('are those of another program', () => {
      const ended = weekOfCode(202135)
      const { distribuicao, mediana_semanas, p90_semanas } = atrasosOf(delaysDe(exemplo), {
        ended,
        semanas: 26,
        isReconstructed: true,
      })
      assert.equal(distribuicao?.length, exemplo.completude.length)
      for (const [semanas, share] of exemplo.completude.entries()) {
        const found = (distribuicao?.[semanas]?.acumulado_pct ?? Number.NaN) / 100
        assert.ok(Math.abs(found - share) <= 1e-6, `after ${semanas} weeks: ${found}, ${share}`)
      }
      assert.deepEqual([mediana_semanas, p90_semanas], [exemplo.mediana, exemplo.p90])
    })
  })
}
