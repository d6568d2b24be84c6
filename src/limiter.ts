import { AppError } from './errors/catalogue.ts'

/** At most `concurrent` at once and `waiting` in line, for `patienceMs` at most; the others are answered 503. */
export function createLimiter(concurrent: number, waiting: number, patienceMs?: number) {
  const line: (() => void)[] = []
  let running = 0

  function standInLine(): Promise<void> {
    if (line.length >= waiting) throw tooMany()
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const leave = () => {
        line.splice(line.indexOf(enter), 1)
        reject(tooMany())
      }
      const timer = patienceMs === undefined ? undefined : setTimeout(leave, patienceMs)
      line.push(enter)
    })
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    // The one who finishes hands its place over, so `running` stays as it is.
    if (running >= concurrent) await standInLine()
    else running++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}

const tooMany = () => new AppError('UNAVAILABLE', { retryAfter: 2 })

export type Limiter = ReturnType<typeof createLimiter>
