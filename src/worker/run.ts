import { type ChildProcess, fork } from 'node:child_process'
import { unavailable } from '../db/pg-errors.ts'
import type { JobApp } from '../domain/importacao/import.ts'
import type { TipoDeJob } from '../domain/jobs/jobs.ts'
import type { JobReservado } from '../domain/jobs/queue.sql.ts'
import { JobCancelado, JobPerdido, JobSemAvanco, type Parada } from '../domain/jobs/queue.ts'
import type { ChildInput, ChildOutcome } from './child.ts'
import { STALLED } from './stall.ts'
import { runTask, TASKS } from './tasks.ts'
import { JOB_TIMINGS, type JobTimings } from './timings.ts'
import type { RunJob } from './worker.ts'

/** In this process; for tests, which need its clock and its database. */
export function runHere(app: JobApp): RunJob {
  return (job, worker, parada) => runTask(app, job, worker, parada)
}

/** More than the largest honest file needs; beyond it the process ends and its job fails. */
const MEMORY = ['--max-old-space-size=96', '--max-semi-space-size=16']

export function runInProcess(
  parts: Pick<ChildInput, 'connection' | 'dataKey' | 'municipios' | 'importBlock'>,
  timings: Partial<JobTimings> = {},
): RunJob {
  const times = { ...JOB_TIMINGS, ...timings }
  return (job, worker, parada) => {
    const child = fork(new URL('./child.ts', import.meta.url), {
      execArgv: MEMORY,
      serialization: 'advanced',
      // What it has to tell comes as a message; what node itself says of a process that ran out of memory is no news.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.send({ ...parts, job, worker, timings: times } satisfies ChildInput)
    const watch = passOn(parada, child, times)
    return new Promise<void>((resolve, reject) => {
      let outcome: ChildOutcome | null = null
      child.on('message', (message: ChildOutcome) => {
        outcome = message
      })
      child.on('error', reject)
      child.on('exit', (_code, signal) => {
        clearInterval(watch)
        const error = failureOf(outcome, parada, signal)
        if (error === null) resolve()
        else reject(error)
      })
    })
  }
}

/** Tells the process when to stop, and stops it when it does not. */
function passOn(parada: Parada, child: ChildProcess, { stopCheckMs, graceMs }: JobTimings): NodeJS.Timeout {
  let told = 0
  return setInterval(() => {
    if (!parada.canceled && !parada.lost) return
    if (told === 0) {
      told = Date.now()
      if (child.connected) child.send(parada.lost ? 'lost' : 'canceled')
    } else if (parada.lost || Date.now() - told > graceMs) child.kill('SIGKILL')
  }, stopCheckMs)
}

function failureOf(
  outcome: ChildOutcome | null,
  parada: Parada,
  signal: NodeJS.Signals | null,
): Error | null {
  if (outcome === 'done') return null
  if (outcome === 'lost' || parada.lost) return new JobPerdido()
  if (outcome === 'canceled' || parada.canceled) return new JobCancelado()
  if (outcome === 'unavailable') return unavailable()
  if (outcome === null && signal === STALLED && STALLED !== 'SIGKILL')
    return new JobSemAvanco('the job used CPU without a step forward')
  return new Error(outcome === null ? 'the process of the job died' : outcome.error)
}

/** What a job leaves behind when it ends otherwise than by itself; one that is handed on keeps it. */
export function abandonIn(app: Pick<JobApp, 'db'>): (job: JobReservado) => Promise<void> {
  return async (job) => TASKS[job.tipo as TipoDeJob].abandon?.(app, { job })
}
