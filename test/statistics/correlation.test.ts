import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { correlate, type Par, pearson, ranks } from '../../src/statistics/correlation.ts'

const pairs = (n: number, x: (i: number) => number, y: (i: number) => number): Par[] =>
  Array.from({ length: n }, (_, i) => ({ semana: i, x: x(i), y: y(i) }))
/** Numbers without order, the same each time. */
const noise = (i: number) => ((i * 7919 + 104_729) % 1009) / 1009

describe('Correlation', () => {
  it('gives ties their mean rank', () => {
    assert.deepEqual(ranks([3, 1, 3, 2]), [3.5, 1, 3.5, 2])
    assert.deepEqual(ranks([5, 5, 5]), [2, 2, 2])
  })

  it('is Pearson’s, and null for a constant series', () => {
    assert.equal(pearson([1, 2, 3], [2, 4, 6]), 1)
    assert.equal(pearson([1, 2, 3], [1, 1, 1]), null)
    // 0.8 by hand: covariances 8, variances 10 and 10.
    assert.ok(Math.abs((pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]) as number) - 0.8) < 1e-12)
  })

  it('says why there is none', () => {
    assert.equal(correlate(pairs(51, noise, noise), 'pearson').motivo, 'poucas_semanas')
    assert.equal(
      correlate(
        pairs(60, noise, () => 1),
        'spearman',
      ).motivo,
      'sem_variacao',
    )
  })

  it('has limits equal to r where that is 1', () => {
    const { r, inferior, superior } = correlate(
      pairs(60, noise, (i) => 2 * noise(i)),
      'spearman',
    )
    assert.deepEqual([r, inferior, superior], [1, 1, 1])
  })

  it('counts fewer weeks where both series follow themselves, and widens the interval', () => {
    const slow = (i: number) => Math.sin(i / 20)
    const smooth = correlate(
      pairs(300, slow, (i) => Math.cos(i / 20) + noise(i) / 10),
      'pearson',
    )
    const rough = correlate(
      pairs(300, noise, (i) => noise(i + 500)),
      'pearson',
    )
    assert.ok((smooth.n_efetivo as number) < 10, String(smooth.n_efetivo))
    assert.ok((rough.n_efetivo as number) > 250, String(rough.n_efetivo))
    const width = ({ inferior, superior }: typeof smooth) => (superior as number) - (inferior as number)
    assert.ok(width(smooth) > 2 * width(rough))
  })

  it('takes only consecutive weeks for the autocorrelation', () => {
    const gaps = pairs(120, (i) => i % 7, noise).map((par, i) => ({ ...par, semana: 2 * i }))
    assert.equal(correlate(gaps, 'pearson').n_efetivo, 120)
  })

  it('has the interval of Fisher’s z, wider by 1.06 for ranks', () => {
    const gaps = pairs(103, noise, (i) => noise(i) + 2 * noise(i + 77)).map((par, i) => ({
      ...par,
      semana: 2 * i,
    }))
    for (const [metodo, c] of [
      ['pearson', 1],
      ['spearman', 1.06],
    ] as const) {
      const { r, inferior } = correlate(gaps, metodo)
      const expected = Math.tanh(Math.atanh(r as number) - 1.959964 * Math.sqrt(c / 100))
      assert.ok(Math.abs((inferior as number) - expected) < 1e-12)
    }
  })
})
