/**
 * Polls a queue: at once when woken, else at an interval, never twice at the same time, and again when woken meanwhile.
 * Polling costs an idle statement per interval and needs no connection that listens.
 */
export interface Runner {
  start(): void
  /** Polls soon. Returns at once. */
  wake(): void
  /** Takes no more; resolves when the work under way has ended, or after `stopMs`. */
  stop(): Promise<void>
  /** Takes all that is due; resolves when nothing is under way. */
  runOnce(): Promise<void>
  /** Tracks work that was taken and never rejects; its end wakes the runner, so that no place stays empty. */
  track(work: Promise<void>): void
  underWay(): number
  isStopped(): boolean
  /** Passed on to `onError` once, until a poll succeeds again. */
  report(error: unknown): void
}

export interface RunnerOptions {
  /** Takes what is due, as far as there are free places. */
  look(): Promise<void>
  onError(error: unknown): void
  /** Milliseconds between polls. */
  poll: number
  /** Milliseconds that `stop` waits at most. */
  stopMs: number
}

export function createRunner({ look, onError, poll, stopMs }: RunnerOptions): Runner {
  const tracked = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let lookAgain = false
  let failing = false
  let stopped = false

  function report(error: unknown): void {
    if (!failing && !stopped) onError(error)
    failing = true
  }

  async function lookWhileWoken(): Promise<void> {
    try {
      do {
        lookAgain = false
        await look()
        failing = false
      } while (lookAgain && !stopped)
    } catch (error) {
      report(error)
    } finally {
      looking = null
    }
  }

  function wake(): void {
    if (stopped) return
    lookAgain = true
    looking ??= lookWhileWoken()
  }

  async function settled(): Promise<void> {
    while (looking !== null || tracked.size > 0) await Promise.all([looking, ...tracked])
  }

  return {
    start() {
      timer = setInterval(wake, poll).unref()
      wake()
    },
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      const timedOut = Promise.withResolvers<void>()
      const timeout = setTimeout(timedOut.resolve, stopMs)
      await Promise.race([settled(), timedOut.promise])
      clearTimeout(timeout)
    },
    async runOnce() {
      wake()
      await settled()
    },
    track(work) {
      const one = work.finally(() => {
        tracked.delete(one)
        wake()
      })
      tracked.add(one)
    },
    underWay: () => tracked.size,
    isStopped: () => stopped,
    report,
  }
}
