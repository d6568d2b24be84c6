import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  correlate,
  type MetodoDeCorrelacao,
  pearson,
  ranks,
  valoresSemanais,
} from '../../src/statistics/correlation.ts'

type Values = (i: number) => number

const weekly = (n: number, value: Values, step = 1) =>
  valoresSemanais(Array.from({ length: n }, (_, i) => [step * i, value(i)] as const))
/** Both from the same week on, one every `step` weeks. */
const correlated = (n: number, [x, y]: [Values, Values], metodo: MetodoDeCorrelacao, step = 1) =>
  correlate(weekly(n, x, step), weekly(n, y, step), 0, metodo)
/** Numbers without order, the same each time. */
const noise = (i: number) => ((i * 7919 + 104_729) % 1009) / 1009

describe('Correlation', () => {
  it('gives ties their mean rank', () => {
    const ranksOf = (values: number[], places = [...values.keys()]) =>
      ranks(
        weekly(values.length, (i) => values[i] as number),
        places,
      )
    assert.deepEqual(ranksOf([3, 1, 3, 2]), [3.5, 1, 3.5, 2])
    assert.deepEqual(ranksOf([5, 5, 5]), [2, 2, 2])
    // Among some of the values.
    assert.deepEqual(ranksOf([3, 1, 3, 2, 0], [0, 2, 3]), [2.5, 2.5, 1])
  })

  it('compares each week with the one that is the lag before it', () => {
    const [x, y] = [weekly(100, noise), weekly(100, (i) => noise(i - 7))]
    assert.deepEqual([correlate(x, y, 7, 'spearman').r, correlate(x, y, 7, 'spearman').n], [1, 93])
    assert.notEqual(correlate(x, y, 6, 'spearman').r, 1)
    const gaps = valoresSemanais(
      [...x.semanas].filter((week) => week % 5 !== 0).map((week) => [week, noise(week)]),
    )
    assert.deepEqual([correlate(gaps, y, 7, 'pearson').n, correlate(y, gaps, 0, 'pearson').n], [74, 80])
  })

  it('is Pearson’s, and null for a constant series', () => {
    assert.equal(pearson([1, 2, 3], [2, 4, 6]), 1)
    assert.equal(pearson([1, 2, 3], [1, 1, 1]), null)
    // 0.8 by hand: covariances 8, variances 10 and 10.
    assert.ok(Math.abs((pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) as number) - 0.8) < 1e-12)
  })

  it('says why there is none', () => {
    assert.equal(correlated(51, [noise, noise], 'pearson').motivo, 'poucas_semanas')
    assert.equal(correlated(60, [noise, () => 1], 'spearman').motivo, 'sem_variacao')
  })

  it('has limits equal to r where that is 1', () => {
    const { r, inferior, superior } = correlated(60, [noise, (i) => 2 * noise(i)], 'spearman')
    assert.deepEqual([r, inferior, superior], [1, 1, 1])
  })

  it('counts fewer weeks where both series follow themselves, and widens the interval', () => {
    const slow = (i: number) => Math.sin(i / 20)
    const smooth = correlated(300, [slow, (i) => Math.cos(i / 20) + noise(i) / 10], 'pearson')
    const rough = correlated(300, [noise, (i) => noise(i + 500)], 'pearson')
    assert.ok((smooth.n_efetivo as number) < 10, String(smooth.n_efetivo))
    assert.ok((rough.n_efetivo as number) > 250, String(rough.n_efetivo))
    const width = ({ inferior, superior }: typeof smooth) => (superior as number) - (inferior as number)
    assert.ok(width(smooth) > 2 * width(rough))
  })

  it('takes only consecutive weeks for the autocorrelation', () => {
    assert.equal(correlated(120, [(i) => i % 7, noise], 'pearson', 2).n_efetivo, 120)
  })

  it('has the interval of Fisher’s z, wider by 1.06 for ranks', () => {
    for (const [metodo, c] of [
      ['pearson', 1],
      ['spearman', 1.06],
    ] as const) {
      const { r, inferior } = correlated(103, [noise, (i) => noise(i) + 2 * noise(i + 77)], metodo, 2)
      const expected = Math.tanh(Math.atanh(r as number) - 1.959964 * Math.sqrt(c / 100))
      assert.ok(Math.abs((inferior as number) - expected) < 1e-12)
    }
  })
})
