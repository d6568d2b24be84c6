import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRandom } from '../../../../fuzz/random.ts'
import { judged, measure } from '../../../duplicidades-acerto.ts'
import { people } from '../../../duplicidades-people.ts'

/** Bars of the specification, on people of our own making: they say how the method works on such errors, not on real ones. */
const TOTAL = 40_000
const all = people(createRandom(7), TOTAL)
const found = judged(all)
const at = (escore: number) => measure(all, found, escore)

describe(`Pairs among ${TOTAL} made-up records`, () => {
  it('are nearly all right from twelve points on, and most of those there are', () => {
    const { precisao, cobertura } = at(12)
    assert.ok(precisao >= 0.99, `precision ${precisao}`)
    assert.ok(cobertura >= 0.88, `recall ${cobertura}`)
  })

  it('are right and most of those there are from six points on', () => {
    const { precisao, cobertura } = at(6)
    assert.ok(precisao >= 0.98, `precision ${precisao}`)
    assert.ok(cobertura >= 0.94, `recall ${cobertura}`)
  })

  it('are right and nearly all there from zero on', () => {
    const { precisao, cobertura } = at(0)
    assert.ok(precisao >= 0.9, `precision ${precisao}`)
    assert.ok(cobertura >= 0.965, `recall ${cobertura}`)
  })

  it('have no other illness of the same person among them', () => assert.equal(at(0).episodios, 0))

  it('have hardly any twins among the nearly certain ones', () => {
    const { gemeos, plantados } = at(12)
    assert.ok(gemeos <= plantados * 0.005, `${gemeos} of ${plantados}`)
  })
})
