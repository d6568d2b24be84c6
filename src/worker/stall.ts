import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'

/**
 * Watchdog: kills the process when it uses CPU time without a step forward. Runs in a thread, since a stalled job blocks
 * the event loop. CPU time, not wall time: waiting for the database does not count.
 */

export interface StallInput {
  /** Shared counter, incremented at every step. */
  steps: Int32Array
  limitMs: number
}

/** Signal that marks a stall: unused otherwise, and without a core dump. Windows lacks it. */
export const STALLED: NodeJS.Signals = 'SIGVTALRM' in constants.signals ? 'SIGVTALRM' : 'SIGKILL'

const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

/** Starts the watchdog; the returned function reports a step. */
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

/** Returns a check of (steps, CPU time so far): true when the limit was exceeded since the last step. */
export function stallCheck(limitMs: number): (steps: number, cpuMs: number) => boolean {
  let last = { steps: -1, cpuMs: 0 }
  return (steps, cpuMs) => {
    if (steps !== last.steps) last = { steps, cpuMs }
    return cpuMs - last.cpuMs > limitMs
  }
}
