import type { Database, Db, Together } from './db.ts'
import type { Line, Place } from './line.ts'
import { isUnavailable } from './pg-errors.ts'
import { alike, type Sql } from './sql.ts'

/** More would hold their locks for too long. */
const MOST = 64
/** A statement that is shared may take its time, and others go on meanwhile; what is done together is short, or would wait for locks. */
const TURNS = { shared: 2, together: 1 }

interface Waiting<T, R> {
  item: T
  place: Place
  resolve(result: R): void
  reject(error: unknown): void
}

type Enter<T, R> = (item: T) => Promise<R>

export function createTogether(db: Db, line: Line): Database['together'] {
  const queues = new Map<Together<never, never>, Enter<never, never>>()
  return <T, R>(work: Together<T, R>, item: T) => {
    let enter = queues.get(work as never) as Enter<T, R> | undefined
    if (enter === undefined) {
      enter = queueOf((items: T[]) => work(db, items), line, TURNS.together)
      queues.set(work as never, enter as never)
    }
    return enter(item)
  }
}

export function createShared(db: Db, line: Line): Database['shared'] {
  const queues = new Map<string, Enter<Sql, unknown[]>>()
  return <T>(query: Sql) => {
    const { text } = query
    let enter = queues.get(text)
    if (enter === undefined) {
      enter = queueOf((queries: Sql[]) => rowsOfEach(db, queries), line, TURNS.shared)
      queues.set(text, enter)
    }
    return enter(query) as Promise<T[]>
  }
}

async function rowsOfEach(db: Db, queries: Sql[]): Promise<unknown[][]> {
  const answers = queries.map((): unknown[] => [])
  for (const row of await db.rows<{ vez: number }>(alike(queries))) answers[row.vez - 1]?.push(row)
  return answers
}

/**
 * A turn begins when the event loop has read all that has arrived. Whoever comes while turns are under way waits for one of
 * them to end, and shares the next.
 */
function queueOf<T, R>(perform: (items: T[]) => Promise<R[]>, line: Line, turns: number): Enter<T, R> {
  const waiting: Waiting<T, R>[] = []
  let running = 0
  let isDue = false

  function beginSoon(): void {
    if (isDue || running >= turns) return
    isDue = true
    setImmediate(begin)
  }

  async function begin(): Promise<void> {
    isDue = false
    const next = waiting.splice(0, MOST)
    for (const { place } of next) line.leave(place)
    running++
    if (waiting.length > 0) beginSoon()
    await settle(next)
    running--
    if (waiting.length > 0) beginSoon()
  }

  async function settle(all: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await perform(all.map(({ item }) => item))
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
      waiting.push({ item, place: line.enter(), resolve, reject })
      beginSoon()
    })
}
