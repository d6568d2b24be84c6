/**
 * Takes work from a queue for as long as it runs: looks at once when woken, else now and then, never twice at the same
 * time, and again when something was found or finished meanwhile.
 */
export interface Runner {
  start(): void
  /** There may be something to do. Returns at once. */
  wake(): void
  /** No more is taken. Waits for what is in hand, within its patience. */
  stop(): Promise<void>
  /** All that is due; resolves when nothing is in hand. */
  runOnce(): Promise<void>
  /** Work that was taken and never rejects. Whoever finishes wakes: no place is left empty while something is due. */
  hold(work: Promise<void>): void
  inHand(): number
  isStopped(): boolean
  /** Told once, until looking succeeds again. */
  report(error: unknown): void
}

export interface RunnerOptions {
  /** Takes what is due and there is room for. */
  look(): Promise<void>
  onError(error: unknown): void
  /** Milliseconds. */
  poll: number
  patience: number
}

export function createRunner({ look, onError, poll, patience }: RunnerOptions): Runner {
  const inHand = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let lookAgain = false
  let failing = false
  let stopped = false

  function report(error: unknown): void {
    if (!failing && !stopped) onError(error)
    failing = true
  }

  function wake(): void {
    if (stopped) return
    if (looking !== null) {
      lookAgain = true
      return
    }
    looking = look()
      .then(
        () => {
          failing = false
        },
        (error) => {
          lookAgain = false
          report(error)
        },
      )
      .finally(() => {
        looking = null
        if (lookAgain) {
          lookAgain = false
          wake()
        }
      })
  }

  async function settled(): Promise<void> {
    while (looking !== null || inHand.size > 0) await Promise.all([looking, ...inHand])
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
      let waiting: NodeJS.Timeout | undefined
      const outOfPatience = new Promise<void>((resolve) => {
        waiting = setTimeout(resolve, patience)
      })
      await Promise.race([settled(), outOfPatience])
      clearTimeout(waiting)
    },
    async runOnce() {
      wake()
      await settled()
    },
    hold(work) {
      const held = work.finally(() => {
        inHand.delete(held)
        wake()
      })
      inHand.add(held)
    },
    inHand: () => inHand.size,
    isStopped: () => stopped,
    report,
  }
}
