import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { HANG_MS } from '../../harness/eventually.ts'

const LENGTH = 200_000
/** For one text: read in one pass it takes milliseconds, in the square of its length minutes. */
const LIMIT_MS = 10_000

it('hundreds of thousands of any sign are read in one pass, wherever they stand', async () => {
  const worker = new Worker(new URL('./long-texts.ts', import.meta.url), { workerData: { length: LENGTH } })
  const ended = Promise.withResolvers<void>()
  const read: string[] = []
  const endWithin = (ms: number) =>
    setTimeout(() => ended.reject(new assert.AssertionError({ message: `${read.at(-1)} does not end` })), ms)
  // Before the first text its modules are loaded.
  let limit = endWithin(HANG_MS)
  worker.on('message', (reading: string) => {
    read.push(reading)
    clearTimeout(limit)
    limit = endWithin(LIMIT_MS)
  })
  worker.on('error', ended.reject)
  worker.on('exit', () => ended.resolve())
  try {
    await ended.promise
  } finally {
    clearTimeout(limit)
    await worker.terminate()
  }
  assert.ok(read.length > 1_000, `only ${read.length} texts were read`)
})
