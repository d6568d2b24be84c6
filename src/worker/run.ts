import { Worker } from 'node:worker_threads'
import { unavailable } from '../db/pg-errors.ts'
import type { JobApp } from '../domain/importacao/importar.ts'
import type { JobReservado } from '../domain/jobs/fila.sql.ts'
import { createTarefa, JobCancelado, JobPerdido, type Parada } from '../domain/jobs/fila.ts'
import type { TipoDeJob } from '../domain/jobs/jobs.ts'
import { TASKS } from './tasks.ts'
import type { ThreadInput, ThreadOutcome } from './thread.ts'
import type { RunJob } from './worker.ts'

/** In this thread; for tests, which need its clock and its database. */
export function runHere(app: JobApp): RunJob {
  return async (job, worker, parada) => {
    await TASKS[job.tipo as TipoDeJob].run(app, createTarefa(app, job, worker, parada))
  }
}

/** More than the largest honest file needs; beyond it, the thread ends and its job fails. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 32 }
const LOOK_MS = 100
/** A job that does not stop by itself is stopped. */
const GRACE_MS = 3_000

export function runInThread(parts: Pick<ThreadInput, 'connection' | 'dataKey' | 'municipios'>): RunJob {
  return (job, worker, parada) => {
    const workerData: ThreadInput = { ...parts, job, worker }
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData,
      resourceLimits: THREAD_LIMITS,
    })
    const watch = passOn(parada, thread)
    return new Promise<void>((resolve, reject) => {
      let outcome: ThreadOutcome | null = null
      thread.on('message', (message: ThreadOutcome) => {
        outcome = message
      })
      thread.on('error', reject)
      thread.on('exit', () => {
        clearInterval(watch)
        const error = failureOf(outcome, parada)
        if (error === null) resolve()
        else reject(error)
      })
    })
  }
}

/** Tells the thread when to stop, and stops it when it does not. */
function passOn(parada: Parada, thread: Worker): NodeJS.Timeout {
  let told = 0
  return setInterval(() => {
    if (!parada.canceled && !parada.lost) return
    if (told === 0) {
      told = Date.now()
      thread.postMessage(parada.lost ? 'lost' : 'canceled')
    } else if (parada.lost || Date.now() - told > GRACE_MS) void thread.terminate()
  }, LOOK_MS)
}

function failureOf(outcome: ThreadOutcome | null, parada: Parada): Error | null {
  if (outcome === 'done') return null
  if (outcome === 'lost' || parada.lost) return new JobPerdido()
  if (outcome === 'canceled' || parada.canceled) return new JobCancelado()
  if (outcome === 'unavailable') return unavailable()
  return new Error(outcome === null ? 'the thread of the job died' : outcome.error)
}

/** What a job leaves behind when it ends otherwise than by itself; one that is handed on keeps it. */
export function abandonIn(app: Pick<JobApp, 'db'>): (job: JobReservado) => Promise<void> {
  return async (job) => TASKS[job.tipo as TipoDeJob].abandon?.(app, { job })
}
