import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLimiter } from '../src/limiter.ts'

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
})
