import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { growthIn, type Stretch } from '../bench/soak-growth.ts'

const QUIET: Stretch = {
  rssMb: 280,
  heapMb: 90,
  handles: 36,
  connections: 10,
  p50: 5,
  p99: 80,
  failures: 0,
}
const MINUTES = 20
/** Twenty minutes, in each of which something is a little more. */
const minutes = (more: Partial<Stretch>) =>
  Array.from({ length: MINUTES }, (_, minute): Stretch => {
    const grown = Object.entries(more).map(([name, each]) => [
      name,
      QUIET[name as keyof Stretch] + minute * (each as number),
    ])
    return { ...QUIET, ...Object.fromEntries(grown) }
  })

describe('What a soak calls growth', () => {
  it('is not that something wavers, nor that caches fill at first', () => {
    const wavering = minutes({}).map((one, i) => ({
      ...one,
      rssMb: one.rssMb + (i % 3) * 10,
      p99: i % 5 === 0 ? 200 : 60,
    }))
    assert.deepEqual(growthIn(wavering), [])
    const filling = minutes({}).map((one, i) => ({ ...one, heapMb: 60 + 6 * Math.min(i, 5) }))
    assert.deepEqual(growthIn(filling), [])
  })

  const leaks: [keyof Stretch, each: number][] = [
    ['rssMb', 8],
    ['heapMb', 6],
    ['handles', 2],
    ['connections', 1],
    ['p50', 2],
    ['p99', 60],
  ]
  for (const [name, each] of leaks)
    it(`is ${each} more of ${name} every minute`, () => {
      const [finding, ...others] = growthIn(minutes({ [name]: each }))
      assert.match(finding ?? '', new RegExp(`^${name} grew`))
      assert.deepEqual(others, [])
    })
})
