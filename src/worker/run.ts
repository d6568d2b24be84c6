import { type ChildProcess, fork } from 'node:child_process'
import { unavailable } from '../db/pg-errors.ts'
import type { ImportApp } from '../domain/importacao/task.ts'
import type { ClaimedJob } from '../domain/jobs/queue.sql.ts'
import { JobCanceled, JobLost, JobStalled, type StopRequest } from '../domain/jobs/queue.ts'
import type { ChildInput, ChildOutcome } from './child.ts'
import { STALLED } from './stall.ts'
import { type JobKind, kindOf, runTask } from './tasks.ts'
import { JOB_TIMINGS, type JobTimings } from './timings.ts'
import type { RunJob } from './worker.ts'

/** Runs jobs in this process, for tests, which need its clock and database. */
export function runHere(app: ImportApp): RunJob {
  return (job, worker, stop) => runTask(app, job, worker, stop)
}

/** Heap limits above what the largest honest file needs; beyond them the process dies and its job fails. */
const memoryOf = ({ streams = false }: JobKind): string[] => [
  '--max-old-space-size=96',
  `--max-semi-space-size=${streams ? 4 : 16}`,
]

/** Runs each job in a process of its own (`child.ts`). */
export function runInProcess(
  parts: Pick<
    ChildInput,
    | 'connection'
    | 'standby'
    | 'dataKey'
    | 'municipios'
    | 'territorioObrigatorio'
    | 'duplicidadeDias'
    | 'importBlock'
  >,
  timings: Partial<JobTimings> = {},
): RunJob {
  const times = { ...JOB_TIMINGS, ...timings }
  return (job, worker, stop) => {
    const child = fork(new URL('./child.ts', import.meta.url), {
      execArgv: memoryOf(kindOf(job)),
      serialization: 'advanced',
      // Outcomes come as messages; node's report of an exhausted heap is dropped.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.send({ ...parts, job, worker, timings: times } satisfies ChildInput)
    const watch = passOn(stop, child, times)
    return new Promise<void>((resolve, reject) => {
      let outcome: ChildOutcome | null = null
      child.on('message', (message: ChildOutcome) => {
        outcome = message
      })
      child.on('error', reject)
      child.on('exit', (_code, signal) => {
        clearInterval(watch)
        const error = failureOf(outcome, stop, signal)
        if (error === null) resolve()
        else reject(error)
      })
    })
  }
}

/** Forwards a request to stop to the process, then kills it after the grace period. */
function passOn(
  stop: StopRequest,
  child: ChildProcess,
  { stopCheckMs, graceMs }: JobTimings,
): NodeJS.Timeout {
  let sentAt = 0
  return setInterval(() => {
    if (!stop.canceled && !stop.lost) return
    if (sentAt === 0) {
      sentAt = Date.now()
      if (child.connected) child.send(stop.lost ? 'lost' : 'canceled')
    } else if (stop.lost || Date.now() - sentAt > graceMs) child.kill('SIGKILL')
  }, stopCheckMs)
}

function failureOf(
  outcome: ChildOutcome | null,
  stop: StopRequest,
  signal: NodeJS.Signals | null,
): Error | null {
  if (outcome === 'done') return null
  if (outcome === 'lost' || stop.lost) return new JobLost()
  if (outcome === 'canceled' || stop.canceled) return new JobCanceled()
  if (outcome === 'unavailable') return unavailable()
  if (outcome === null && signal === STALLED && STALLED !== 'SIGKILL')
    return new JobStalled('the job used CPU without a step forward')
  return new Error(outcome === null ? 'the process of the job died' : outcome.error)
}

/** Removes the leftovers of a job that was ended from outside; a released one keeps them for the next worker. */
export function abandonIn(app: Pick<ImportApp, 'db'>): (job: ClaimedJob) => Promise<void> {
  return async (job) => kindOf(job).abandon?.(app, { job })
}
