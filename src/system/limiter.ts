import { AppError } from '../errors/catalogue.ts'

interface Waiter {
  enter(): void
  refuse(): void
}

/** The queue of one source. */
interface Turn {
  source: string
  waiters: Waiter[]
}

/**
 * Limits concurrency with a bounded fair queue: `concurrent` at once, `waiting` queued for at most `timeoutMs`, the others
 * are answered 503. Sources take turns (round robin), so that one that sends many delays itself; in a full queue, it is the
 * one that is refused.
 */
export function createLimiter(concurrent: number, waiting: number, timeoutMs?: number) {
  const queue = createFairQueue(waiting)
  let running = 0

  function enqueue(source: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        enter() {
          clearTimeout(timer)
          resolve()
        },
        refuse() {
          clearTimeout(timer)
          reject(tooMany())
        },
      }
      const giveUp = () => {
        queue.leave(source, waiter)
        waiter.refuse()
      }
      const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs)
      queue.join(source, waiter)
    })
  }

  return async <T>(work: () => Promise<T>, source = ''): Promise<T> => {
    // Finished work hands its place over, so that `running` stays as it is.
    if (running >= concurrent) await enqueue(source)
    else running++
    try {
      return await work()
    } finally {
      const next = queue.next()
      if (next) next.enter()
      else running--
    }
  }
}

/** A bounded queue with one FIFO for each source, served in turn. */
function createFairQueue(size: number) {
  const turns: Turn[] = []
  let length = 0

  const find = (source: string) => turns.find((turn) => turn.source === source)

  function remove(turn: Turn, waiter: Waiter): void {
    turn.waiters.splice(turn.waiters.indexOf(waiter), 1)
    if (turn.waiters.length === 0) turns.splice(turns.indexOf(turn), 1)
    length--
  }

  /** Refuses the newest of the source with most queued, unless the newcomer's source would then have as many. */
  function makeRoom(newcomer: string): boolean {
    const longest = turns.reduce<Turn | null>(
      (most, turn) => (turn.waiters.length > (most?.waiters.length ?? 0) ? turn : most),
      null,
    )
    const own = find(newcomer)?.waiters.length ?? 0
    if (longest === null || longest.waiters.length <= own + 1) return false
    const last = longest.waiters.at(-1) as Waiter
    remove(longest, last)
    last.refuse()
    return true
  }

  return {
    join(source: string, waiter: Waiter): void {
      if (length >= size && !makeRoom(source)) {
        waiter.refuse()
        return
      }
      const turn = find(source)
      if (turn) turn.waiters.push(waiter)
      else turns.push({ source, waiters: [waiter] })
      length++
    },
    leave(source: string, waiter: Waiter): void {
      remove(find(source) as Turn, waiter)
    },
    /** The first of the source whose turn it is; that source then goes to the end of the round. */
    next(): Waiter | undefined {
      const turn = turns.shift()
      const waiter = turn?.waiters.shift()
      if (waiter) length--
      if (turn && turn.waiters.length > 0) turns.push(turn)
      return waiter
    },
  }
}

const tooMany = () => new AppError('UNAVAILABLE', { retryAfter: 2 })

export type Limiter = ReturnType<typeof createLimiter>
