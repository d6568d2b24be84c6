import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRandom } from '../../src/demo/random.ts'
import { type Classes, type Hierarchy, leastLoss } from '../../src/statistics/k-anonymity.ts'

/** Groups of `size` neighbouring values; not nested in those of another size, as weeks are not in months. */
const level = (values: number, size: number) => ({
  groupOf: Int32Array.from({ length: values }, (_, value) => Math.floor(value / size)),
  groups: Math.ceil(values / size),
})
const HIERARCHIES: Hierarchy[] = [
  [level(30, 1), level(30, 7), level(30, 10), level(30, 30)],
  [level(12, 1), level(12, 4), level(12, 12)],
  [level(2, 1), level(2, 2)],
]

function randomClasses(seed: number, rows: number): Classes {
  const random = createRandom(seed)
  const counts = new Map<string, number>()
  for (let i = 0; i < rows; i++) {
    // Crowded at the low values, sparse at the high ones.
    const key = [30, 12, 2].map((values) => random.below(1 + random.below(values))).join()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const keys = [...counts.keys()].map((key) => key.split(',').map(Number))
  return {
    values: HIERARCHIES.map((_, a) => Int32Array.from(keys, (key) => key[a] as number)),
    counts: Int32Array.from(counts.values()),
  }
}

/** Suppressed rows and loss of one combination, counted in the plainest way. */
function judge({ values, counts }: Classes, levels: readonly number[], k: number) {
  const sizes = new Map<string, number>()
  counts.forEach((count, i) => {
    const key = levels.map((l, a) => HIERARCHIES[a]?.[l]?.groupOf[values[a]?.[i] as number]).join()
    sizes.set(key, (sizes.get(key) ?? 0) + count)
  })
  const rows = counts.reduce((sum, count) => sum + count, 0)
  let [suppressed, loss] = [0, 0]
  for (const size of sizes.values()) {
    if (size < k) suppressed += size
    loss += size < k ? size * rows : size * size
  }
  return { suppressed, loss, rows }
}

const COMBINATIONS = [0, 1, 2, 3].flatMap((a) => [0, 1, 2].flatMap((b) => [0, 1].map((c) => [a, b, c])))

describe('The least loss', () => {
  it('is that of the best of all combinations, for random rows', () => {
    for (let seed = 1; seed <= 20; seed++)
      for (const k of [2, 5, 20]) {
        const classes = randomClasses(seed, 50 + 100 * seed)
        const judged = COMBINATIONS.map((levels) => judge(classes, levels, k))
        const allowed = judged.filter(({ suppressed, rows }) => suppressed <= 0.05 * rows)
        const best = Math.min(...allowed.map(({ loss }) => loss))
        const choice = leastLoss(classes, HIERARCHIES, { k, maxShare: 0.05 })
        assert.equal(choice?.loss ?? Number.POSITIVE_INFINITY, best)
        if (choice === null) continue
        const { suppressed, loss } = judge(classes, choice.levels, k)
        assert.deepEqual([choice.suppressed, choice.loss], [suppressed, loss])
      }
  })

  it('suppresses nothing where every class is large enough as it is', () => {
    const classes = {
      values: [Int32Array.of(0, 1), Int32Array.of(0, 0), Int32Array.of(1, 1)],
      counts: Int32Array.of(5, 7),
    }
    assert.deepEqual(leastLoss(classes, HIERARCHIES, { k: 5, maxShare: 0.05 }), {
      levels: [0, 0, 0],
      suppressed: 0,
      loss: 25 + 49,
    })
  })

  it('is none where fewer rows than k are left however they are joined, and with no row at all suppresses none', () => {
    const few = { values: [Int32Array.of(0), Int32Array.of(0), Int32Array.of(0)], counts: Int32Array.of(4) }
    assert.equal(leastLoss(few, HIERARCHIES, { k: 5, maxShare: 0.05 }), null)
    const none = { values: HIERARCHIES.map(() => new Int32Array()), counts: new Int32Array() }
    assert.equal(leastLoss(none, HIERARCHIES, { k: 5, maxShare: 0.05 })?.suppressed, 0)
  })
})
