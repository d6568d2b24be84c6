import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Line } from '../../src/db/line.ts'

describe('A line', () => {
  it('tells how long the first has been waiting, whoever left before or after', () => {
    const line = new Line()
    assert.equal(line.waitedMs(), 0)
    const places = [3_000, 2_000, 1_000].map((before) =>
      Object.assign(line.enter(), { since: performance.now() - before }),
    )
    const [first, second, third] = places as [(typeof places)[0], (typeof places)[0], (typeof places)[0]]
    const seconds = () => Math.floor(line.waitedMs() / 1_000)
    assert.equal(seconds(), 3)
    line.leave(second)
    assert.equal(seconds(), 3)
    line.leave(first)
    assert.equal(seconds(), 1)
    line.leave(third)
    assert.equal(line.waitedMs(), 0)
  })
})
