import type { Database, Together } from './db.ts'
import { isUnavailable } from './pg-errors.ts'

/** More would hold their locks for too long. */
const MOST = 64

interface Waiting<T, R> extends Place {
  item: T
  resolve(result: R): void
  reject(error: unknown): void
}

/** Since when somebody waits, by `performance.now()`. */
export interface Place {
  since: number
}

/** Whoever comes while others are being written waits for the next turn, and shares it. */
export function createTogether(transaction: Database['transaction'], line: Set<Place>): Database['together'] {
  const queues = new Map<Together<never, never>, (item: never) => Promise<never>>()
  return <T, R>(work: Together<T, R>, item: T) => {
    let enter = queues.get(work as never) as ((item: T) => Promise<R>) | undefined
    if (enter === undefined) {
      enter = queueOf((items: T[]) => transaction((tx) => work(tx, items)), line)
      queues.set(work as never, enter as never)
    }
    return enter(item)
  }
}

function queueOf<T, R>(write: (items: T[]) => Promise<R[]>, line: Set<Place>): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const next = waiting.splice(0, MOST)
      for (const one of next) line.delete(one)
      await settle(next)
    }
    isRunning = false
  }

  async function settle(all: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await write(all.map(({ item }) => item))
      for (const [i, { resolve }] of all.entries()) resolve(results[i] as R)
    } catch (error) {
      // A database that is away is the one failure that leaves open whether anything was written.
      if (all.length === 1 || isUnavailable(error)) for (const { reject } of all) reject(error)
      else await settleInHalves(all)
    }
  }

  /** What one of them is refused for is not the others' business. */
  async function settleInHalves(all: Waiting<T, R>[]): Promise<void> {
    const middle = Math.ceil(all.length / 2)
    await settle(all.slice(0, middle))
    await settle(all.slice(middle))
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const one = { item, resolve, reject, since: performance.now() }
      waiting.push(one)
      line.add(one)
      if (!isRunning) run()
    })
}
