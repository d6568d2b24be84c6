import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'

/**
 * Ends a process that uses CPU without a step forward. A thread watches it, since what hangs is the event loop of the
 * process; time spent waiting for the database is no CPU of it and does not count.
 */

export interface StallInput {
  /** One counter, raised at every step. */
  steps: Int32Array
  limitMs: number
}

/** How such a process ends. Nobody else sends this signal, and it writes no memory to disk; Windows does not have it. */
export const STALLED: NodeJS.Signals = 'SIGVTALRM' in constants.signals ? 'SIGVTALRM' : 'SIGKILL'

const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

/** From now on in this process. The answer is to be called at every step. */
export function watchForStall(limitMs: number): () => void {
  const steps = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(new URL('./stall-thread.ts', import.meta.url), {
    workerData: { steps, limitMs } satisfies StallInput,
    resourceLimits: LIMITS,
  })
  thread.unref()
  return () => {
    Atomics.add(steps, 0, 1)
  }
}

/** Told the number of steps and the CPU used so far, answers whether the limit was used up since the last step. */
export function stallCheck(limitMs: number): (steps: number, cpuMs: number) => boolean {
  let last = { steps: -1, cpuMs: 0 }
  return (steps, cpuMs) => {
    if (steps !== last.steps) last = { steps, cpuMs }
    return cpuMs - last.cpuMs > limitMs
  }
}
