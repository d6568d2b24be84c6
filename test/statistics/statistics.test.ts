import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { completeness } from '../../src/statistics/chain-ladder.ts'
import { controlLimits, pooledAround, quartiles } from '../../src/statistics/control-limits.ts'
import { wilsonInterval } from '../../src/statistics/proportion.ts'
import { generationWeights, posteriorsOf } from '../../src/statistics/reproduction.ts'
import { floor, round, roundOrNull } from '../../src/statistics/rounding.ts'
import { standardisedRate } from '../../src/statistics/standardised-rate.ts'
import { mean, median, quantile, standardDeviation, sum } from '../../src/statistics/summary.ts'

const near = (value: number | null | undefined, exact: number, tolerance = 1e-12) =>
  assert.ok(Math.abs((value ?? Number.NaN) - exact) <= tolerance * Math.max(1, Math.abs(exact)), `${value}`)

describe('Rounding', () => {
  it('takes halves away from zero, as they are written in decimals', () => {
    for (const [value, decimals, rounded] of [
      [0.00005, 4, 0.0001],
      [-0.00005, 4, -0.0001],
      [1.005, 2, 1.01],
      [1.00005, 4, 1.0001],
      [2.5, 0, 3],
      [-2.5, 0, -3],
      [0.1 + 0.2, 1, 0.3],
      [0.145 * 100, 0, 15],
      [93.4461, 4, 93.4461],
      [1e-9, 4, 0],
      [1e21, 4, 1e21],
      [0, 4, 0],
    ] as const)
      assert.equal(round(value, decimals), rounded, `${value}`)
    assert.ok(Object.is(round(-1e-9, 4), 0), 'never −0')
    assert.deepEqual([roundOrNull(null, 2), roundOrNull(1.005, 2)], [null, 1.01])
  })

  it('is never further away than half of the last decimal', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.nat(6), (value, decimals) => {
        assert.ok(Math.abs(round(value, decimals) - value) <= 0.5 * 10 ** -decimals + Math.abs(value) * 1e-14)
      }),
    )
  })

  it('takes a product that misses a whole number by its last bits for that number', () => {
    for (let cases = 0; cases < 2_000; cases++)
      assert.equal(floor(((cases / 1_592_362) * 100_000 * 1_592_362) / 100_000), cases)
    assert.equal(floor(41.9999), 41)
  })
})

describe('Summaries of a sample', () => {
  it('are those of R on its own data (mtcars$mpg)', () => {
    const mpg = [
      21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4,
      30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
    ]
    near(mean(mpg), 20.090625)
    near(standardDeviation(mpg), 6.026948052089105)
    assert.deepEqual(
      [0, 0.25, 0.5, 0.75, 1].map((p) => round(quantile(mpg, p) as number, 9)),
      [10.4, 15.425, 19.2, 22.8, 33.9],
    )
    assert.deepEqual(quartiles(mpg), { first: 15.425, median: 19.2, third: 22.8 })
  })

  it('interpolate at position (n − 1)p', () => {
    assert.equal(quantile([4, 1, 2, 3], 0.5), 2.5)
    assert.equal(quantile([10, 20], 0.1), 11)
    assert.equal(median([7]), 7)
  })

  it('are null where there is nothing to summarise', () => {
    assert.deepEqual([mean([]), median([]), quantile([], 0.2), quartiles([])], [null, null, null, null])
    assert.deepEqual(
      [standardDeviation([]), standardDeviation([3]), controlLimits([3], 2)],
      [null, null, null],
    )
    assert.equal(sum([]), 0)
  })

  it('keep the digits of small deviations from large means', () => {
    near(standardDeviation([1e9 + 1, 1e9 + 2, 1e9 + 3]), 1)
  })
})

describe('Limits of a control diagram', () => {
  it('are mean and deviations, not below 0', () => {
    const limits = controlLimits([2, 4, 4, 4, 5, 5, 7, 9], 2)
    near(limits?.deviation, Math.sqrt(32 / 7))
    near(limits?.upper, 5 + 2 * Math.sqrt(32 / 7))
    near(limits?.lower, 5 - 2 * Math.sqrt(32 / 7))
    assert.equal(controlLimits([0, 0, 9], 2)?.lower, 0)
  })

  it('come from windows of which points without a value are left out', () => {
    const series = Float64Array.from({ length: 11 }, (_, point) => (point === 3 ? Number.NaN : point * 10))
    assert.deepEqual(pooledAround(series, [4], 5), [20, 40, 50, 60])
    assert.deepEqual(pooledAround(series, [4, 9], 1), [40, 90])
    assert.deepEqual(pooledAround(series, [0, 10], 3), [0, 10, 90, 100])
  })
})

describe("Wilson's interval", () => {
  it('is the one of the textbooks', () => {
    // Newcombe (1998), table I: 81/263, 15/148, 1/29.
    for (const [events, of, lower, upper] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilsonInterval(events, of)
      assert.deepEqual([round(interval?.lower ?? -1, 4), round(interval?.upper ?? -1, 4)], [lower, upper])
    }
  })

  it('stays inside of 0 and 1, and is null over nothing', () => {
    assert.deepEqual([wilsonInterval(0, 5)?.lower, wilsonInterval(5, 5)?.upper], [0, 1])
    assert.equal(wilsonInterval(0, 0), null)
  })
})

describe('Directly standardised rates', () => {
  it('have with one group the exact Poisson interval: 10 cases, 4.795 to 18.390', () => {
    const rate = standardisedRate([{ cases: 10, population: 1, weight: 3 }])
    assert.equal(rate?.rate, 10)
    assert.deepEqual([round(rate?.lower ?? 0, 3), round(rate?.upper ?? 0, 3)], [4.795, 18.39])
  })

  it('have the interval of Fay and Feuer, computed by χ² in another program', () => {
    const rate = standardisedRate([
      { cases: 3, population: 12_000, weight: 20 },
      { cases: 8, population: 34_000, weight: 35 },
      { cases: 20, population: 51_000, weight: 30 },
      { cases: 11, population: 9_000, weight: 15 },
    ])
    near((rate?.rate ?? 0) / 0.0004333333333333333, 1)
    near((rate?.lower ?? 0) / 0.0003011288979584425, 1)
    near((rate?.upper ?? 0) / 0.0006096801624813235, 1)
  })

  it('have a lower limit of 0 without cases, and are null without population', () => {
    const rate = standardisedRate([{ cases: 0, population: 100, weight: 1 }])
    assert.deepEqual([rate?.rate, rate?.lower], [0, 0])
    near(rate?.upper, -Math.log(0.025) / 100)
    assert.equal(standardisedRate([{ cases: 0, population: 0, weight: 1 }]), null)
  })
})

describe("Cori's method", () => {
  it('weighs the lags as the interface prints them', () => {
    assert.deepEqual(
      generationWeights(3, 1, 6).map((weight) => round(weight, 6)),
      [0.054246, 0.243114, 0.400827, 0.243114, 0.054246, 0.004453],
    )
  })

  it('adds the cases of the window to the shape and their expectation to the rate', () => {
    const [, , , last] = posteriorsOf([2, 0, 3, 1], [0.5, 0.5], 2)
    // Expected: (0 + 2)/2 in the third, (3 + 0)/2 in the fourth.
    assert.deepEqual(last, { cases: 4, infectiousness: 2.5, shape: 5, scale: 1 / 2.7 })
  })

  it('has nothing before the first point, and no lag 0', () => {
    const [first] = posteriorsOf([9], [1], 3)
    assert.deepEqual(first, { cases: 9, infectiousness: 0, shape: 10, scale: 5 })
  })
})

describe('The chain ladder', () => {
  it('gives the shares of a triangle whose delays never change', () => {
    const shares = [0.25, 0.25, 0.5]
    const triangle = { at: (_row: number, delay: number) => (shares[delay] ?? 0) * 1e9 }
    const found = completeness(triangle, { now: 50, rows: 26, last: 3 })
    assert.deepEqual(
      found.map((share) => round(share, 6)),
      [0.25, 0.5, 1, 1],
    )
  })

  it('reads only rows for which the delay is over', () => {
    const triangle = {
      at(row: number, delay: number) {
        assert.ok(row + delay <= 9 && row >= 9 - 2 - 4 + 1, `${row} ${delay}`)
        return 1
      },
    }
    completeness(triangle, { now: 9, rows: 4, last: 2 })
  })
})
