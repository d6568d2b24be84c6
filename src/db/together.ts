import { AppError } from '../errors/catalogue.ts'
import type { Database, Together } from './db.ts'

/** More would hold their locks for too long. */
const MOST = 64
interface Waiting<T, R> {
  item: T
  resolve(result: R): void
  reject(error: unknown): void
}

/** Whoever comes while others are being written waits for the next turn, and shares it. */
export function createTogether(transaction: Database['transaction']): Database['together'] {
  const queues = new Map<Together<never, never>, (item: never) => Promise<never>>()
  return <T, R>(work: Together<T, R>, item: T) => {
    let enter = queues.get(work as never) as ((item: T) => Promise<R>) | undefined
    if (enter === undefined) {
      enter = queueOf((items: T[]) => transaction((tx) => work(tx, items)))
      queues.set(work as never, enter as never)
    }
    return enter(item)
  }
}

function queueOf<T, R>(write: (items: T[]) => Promise<R[]>): (item: T) => Promise<R> {
  const line: Waiting<T, R>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (line.length > 0) await settle(line.splice(0, MOST))
    isRunning = false
  }

  async function settle(all: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await write(all.map(({ item }) => item))
      for (const [i, { resolve }] of all.entries()) resolve(results[i] as R)
    } catch (error) {
      // What one of them is refused for is not the others' business. Whether anything was written is known but for one case.
      if (all.length === 1 || isUnavailable(error)) for (const { reject } of all) reject(error)
      else for (const one of all) await settle([one])
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      line.push({ item, resolve, reject })
      if (!isRunning) run()
    })
}

const isUnavailable = (error: unknown) => error instanceof AppError && error.is('UNAVAILABLE')
