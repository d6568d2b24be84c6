import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'

/** For one text of a million signs: read in one pass it takes milliseconds, in the square of its length an hour. */
const LIMIT_MS = 60_000

it('a million of any sign is read in one pass, wherever it stands', async () => {
  const worker = new Worker(new URL('./long-texts.ts', import.meta.url), {
    workerData: { length: 1_000_000 },
  })
  const ended = Promise.withResolvers<void>()
  const read: string[] = []
  const limit = setTimeout(
    () => ended.reject(new assert.AssertionError({ message: `${read.at(-1)} does not end` })),
    LIMIT_MS,
  )
  worker.on('message', (reading: string) => {
    read.push(reading)
    limit.refresh()
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
