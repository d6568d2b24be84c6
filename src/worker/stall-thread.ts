import { workerData } from 'node:worker_threads'
import { STALLED, type StallInput, stallCheck } from './stall.ts'

const { steps, limitMs } = workerData as StallInput
const isStalled = stallCheck(limitMs)

setInterval(
  () => {
    // Of all threads of the process.
    const { user, system } = process.cpuUsage()
    if (isStalled(Atomics.load(steps, 0), (user + system) / 1_000)) process.kill(process.pid, STALLED)
  },
  Math.min(1_000, limitMs),
)
