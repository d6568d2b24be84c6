import { AppError } from './errors/catalogue.ts'

/** At most `concurrent` at once and `waiting` in line; the next one is answered 503. */
export function createLimiter(concurrent: number, waiting: number) {
  const line: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrent) {
      if (line.length >= waiting) throw new AppError('UNAVAILABLE', { retryAfter: 2 })
      // The one who finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => line.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}

export type Limiter = ReturnType<typeof createLimiter>
