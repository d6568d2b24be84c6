import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLimiter } from '../../src/system/limiter.ts'

const UNAVAILABLE = { code: 'UNAVAILABLE' }

describe('A limiter', () => {
  it('lets in so many at once, the next ones in their order, and refuses who finds the line full', async () => {
    const limited = createLimiter(1, 2)
    const held = Promise.withResolvers<void>()
    const order: number[] = []
    const first = limited(() => held.promise)
    const waiting = [1, 2].map((number) => limited(async () => void order.push(number)))
    await assert.rejects(
      limited(async () => order.push(3)),
      UNAVAILABLE,
    )
    assert.deepEqual(order, [])
    held.resolve()
    await Promise.all([first, ...waiting])
    assert.deepEqual(order, [1, 2])
  })

  it('refuses who has waited too long, and keeps their place for others', async () => {
    const limited = createLimiter(1, 1, 5)
    const held = Promise.withResolvers<void>()
    const first = limited(() => held.promise)
    for (let i = 0; i < 3; i++)
      await assert.rejects(
        limited(async () => assert.fail('never begins')),
        UNAVAILABLE,
      )
    held.resolve()
    await first
    assert.equal(await limited(async () => 'served'), 'served')
  })

  it('gives a place back when the work fails', async () => {
    const limited = createLimiter(1, 1, 60_000)
    const failed = limited(() => Promise.reject(new Error('failed')))
    const next = limited(async () => 'served')
    await assert.rejects(failed, /failed/)
    assert.equal(await next, 'served')
  })

  it('gives turns by source: one of another source comes next, however many wait', async () => {
    const limited = createLimiter(1, 500)
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const enter = (source: string) => limited(async () => void order.push(source), source)
    const all = [limited(() => held.promise, 'a'), ...Array.from({ length: 400 }, () => enter('a'))]
    all.push(enter('b'), enter('b'), enter('c'))
    held.resolve()
    await Promise.all(all)
    assert.deepEqual(order.slice(0, 7), ['a', 'b', 'c', 'a', 'b', 'a', 'a'])
    assert.equal(order.length, 403)
  })

  it('refuses the excess of the source that has most in line, the latest first, before anybody else', async () => {
    const limited = createLimiter(1, 4)
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const refused: string[] = []
    const enter = (name: string) =>
      limited(async () => void order.push(name), name[0]).catch((error) => {
        assert.equal(error.code, 'UNAVAILABLE')
        assert.ok(error.extras.retryAfter > 0)
        refused.push(name)
      })
    const all = [limited(() => held.promise, 'a'), ...['a1', 'a2', 'a3', 'a4', 'a5'].map(enter)]
    all.push(...['b1', 'b2', 'b3', 'c1'].map(enter))
    held.resolve()
    await Promise.all(all)
    assert.deepEqual(refused.toSorted(), ['a2', 'a3', 'a4', 'a5', 'b3'])
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'b2'])
  })
})
