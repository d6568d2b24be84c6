import { isUnavailable } from './pg-errors.ts'

/**
 * Batches concurrent calls: items that arrive while a batch runs share the next one. Trades up to one event-loop turn of
 * latency for fewer statements and commits.
 */
export interface Batcher<T, R> {
  /** Resolves with the result at the item's own position. */
  add(item: T): Promise<R>
  /** Age of the oldest queued item; 0 with an empty queue. */
  waitedMs(): number
}

export interface BatcherOptions {
  /** Size of a batch; a larger one would hold its row locks for longer than a request should take. */
  most?: number
  /** Batches under way at once; more than one would wait for each other's locks. */
  turns?: number
}

interface Queued<T, R> {
  item: T
  since: number
  resolve(result: R): void
  reject(error: unknown): void
}

export function createBatcher<T, R>(
  perform: (items: T[]) => Promise<R[]>,
  { most = 64, turns = 1 }: BatcherOptions = {},
): Batcher<T, R> {
  const queue: Queued<T, R>[] = []
  let running = 0
  let scheduled = false

  /** Starts after the event loop has read all that has arrived, so that one turn's requests are one batch. */
  function schedule(): void {
    if (scheduled || running >= turns || queue.length === 0) return
    scheduled = true
    setImmediate(async () => {
      scheduled = false
      running++
      const batch = queue.splice(0, most)
      schedule()
      await settle(batch)
      running--
      schedule()
    })
  }

  /** One refused item must not fail the others: a failed batch is retried in halves. */
  async function settle(batch: Queued<T, R>[]): Promise<void> {
    try {
      const results = await perform(batch.map(({ item }) => item))
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as R)
    } catch (error) {
      // Not retried when the database is away: the batch may have been written all the same.
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
      else {
        const middle = Math.ceil(batch.length / 2)
        await settle(batch.slice(0, middle))
        await settle(batch.slice(middle))
      }
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, since: performance.now(), resolve, reject })
        schedule()
      }),
    waitedMs: () => (queue[0] === undefined ? 0 : performance.now() - queue[0].since),
  }
}
