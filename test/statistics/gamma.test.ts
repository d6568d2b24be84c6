import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  gammaCdf,
  gammaQuantile,
  gammaSurvival,
  inverseLowerGamma,
  lgamma,
  lowerGamma,
  upperGamma,
} from '../../src/statistics/gamma.ts'

/** Ten significant digits are promised; there are two more to spare. */
function agrees(value: number, exact: number, digits = 12) {
  assert.ok(Math.abs(value - exact) <= 10 ** -digits * Math.abs(exact), `${value} is not ${exact}`)
}

/** Values to 20 digits were computed with 40 digits (mpmath); closed forms are written as such. */
describe('The logarithm of the gamma function', () => {
  it('is that of factorials and of halves', () => {
    let factorial = 1
    for (let n = 1; n <= 20; n++) {
      agrees(Math.exp(lgamma(n)), factorial)
      factorial *= n
    }
    agrees(lgamma(0.5), Math.log(Math.PI) / 2)
    agrees(lgamma(2.5), Math.log((3 * Math.sqrt(Math.PI)) / 4))
  })

  it('has twelve digits from 0.1 to a million', () => {
    const VALUES: [number, number][] = [
      [0.1, 2.252712651734206],
      [0.5, 0.5723649429247001],
      [1.5, -0.12078223763524522],
      [3.7, 1.4280723266653879],
      [14.9, 24.924132002217277],
      [100, 359.1342053695754],
      [1_000_000.5, 12815511.476902766],
    ]
    for (const [x, exact] of VALUES) agrees(lgamma(x), exact)
  })
})

describe('The regularised incomplete gamma function', () => {
  it('is the exponential distribution for shape 1', () => {
    for (const x of [1e-9, 0.001, 0.5, 1, 2, 10, 30]) {
      agrees(lowerGamma(1, x), -Math.expm1(-x))
      agrees(upperGamma(1, x), Math.exp(-x))
    }
  })

  it('is the error function for shape ½, as Abramowitz and Stegun print it', () => {
    agrees(lowerGamma(0.5, 1), 0.8427007929497149)
    agrees(lowerGamma(0.5, 0.25), 0.5204998778130465)
    agrees(upperGamma(0.5, 4), 0.004677734981047266)
  })

  it('is a sum of Poisson probabilities for whole shapes, down to tiny tails', () => {
    for (const [a, x] of [
      [2, 3],
      [3, 50],
      [7, 7],
      [20, 60],
    ] as const) {
      let [term, total] = [Math.exp(-x), Math.exp(-x)]
      for (let k = 1; k < a; k++) {
        term *= x / k
        total += term
      }
      agrees(upperGamma(a, x), total)
    }
  })

  it('has ten digits for shapes up to two million', () => {
    const VALUES: [number, number, number][] = [
      [0.1, 0.02, 0.70953872880751],
      [13, 7.5, 0.04266586753927491],
      [123, 100, 0.014306259001087509],
      [1000, 1000, 0.5042052441802155],
      [12_345, 12_122.78, 0.0222601503740233],
      [300_001, 299_453.25, 0.15864338519860063],
      [2_000_000, 1_997_171.5, 0.022709160350578007],
    ]
    for (const [a, x, exact] of VALUES) {
      agrees(lowerGamma(a, x), exact, 10.5)
      agrees(upperGamma(a, x), 1 - exact, 10.5)
    }
  })

  it('is 0 and 1 at the ends', () => {
    assert.deepEqual([lowerGamma(3, 0), upperGamma(3, 0), lowerGamma(3, -1)], [0, 1, 0])
    assert.deepEqual([lowerGamma(3, 5_000), upperGamma(3, 5_000)], [1, 0])
  })
})

describe('Quantiles of the gamma distribution', () => {
  it('are the logarithm for shape 1', () => {
    for (const p of [1e-6, 0.001, 0.025, 0.5, 0.975, 0.999])
      agrees(inverseLowerGamma(1, p), -Math.log1p(-p), 11)
  })

  it('have ten digits', () => {
    const VALUES: [number, number, number][] = [
      [0.3, 0.01, 1.502222655236039e-7],
      [2, 0.025, 0.2422092785439649],
      [2, 0.975, 5.571643390938899],
      [5, 0.5, 4.670908882795984],
      [13, 0.025, 6.921952491003802],
      [145, 0.975, 169.53351294754108],
      [1001, 0.5, 1000.6666864072174],
    ]
    for (const [a, p, exact] of VALUES) agrees(inverseLowerGamma(a, p), exact, 11)
  })

  it('are half of those that tables of χ² print', () => {
    for (const [df, p, printed] of [
      [1, 0.95, 3.841],
      [10, 0.975, 20.483],
      [10, 0.025, 3.247],
      [100, 0.5, 99.334],
    ] as const)
      assert.equal((2 * inverseLowerGamma(df / 2, p)).toFixed(3), printed.toFixed(3))
  })

  it('undo the distribution for every shape and probability', () => {
    for (const shape of [0.1, 0.5, 1, 1.7, 5, 40, 999, 77_777, 3_000_000])
      for (const p of [1e-4, 0.01, 0.3, 0.5, 0.9, 0.999]) {
        const one = { shape, scale: 0.37 }
        agrees(gammaCdf(one, gammaQuantile(one, p)), p, 10)
        agrees(gammaSurvival(one, gammaQuantile(one, p)), 1 - p, 10)
      }
  })

  it('are 0 and infinite at the ends', () => {
    assert.deepEqual([inverseLowerGamma(2, 0), inverseLowerGamma(2, 1)], [0, Number.POSITIVE_INFINITY])
  })
})
