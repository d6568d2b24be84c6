import { randomUUID } from 'node:crypto'
import type { App } from '../domain/app.ts'
import type { JobReservado } from '../domain/jobs/queue.sql.ts'
import { JobCancelado, JobPerdido, JobSemAvanco, leasesOf, type Parada } from '../domain/jobs/queue.ts'
import type { Mensagem } from '../domain/jobs/texts/textos.ts'
import { AppError } from '../errors/catalogue.ts'
import { JOB_TIMINGS, type JobTimings } from './timings.ts'

/** Does the work of one job to its end; settles when it ended, whatever the end was. */
export type RunJob = (job: JobReservado, worker: string, parada: Parada) => Promise<void>

export interface WorkerOptions {
  app: Pick<App, 'db' | 'clock'>
  run: RunJob
  /** Takes away what a job that ended before its time left behind. */
  abandon(job: JobReservado): Promise<void>
  /** Jobs at once in this process. */
  atOnce?: number
  timings?: Partial<JobTimings>
  onError(error: unknown, job: Pick<JobReservado, 'id' | 'tipo'> | null): void
}

export interface JobWorker {
  start(): void
  /** There may be something to do. */
  wake(): void
  /** Hands back what is in hand, so that others can go on with it at once. */
  stop(): Promise<void>
  /** Everything that waits, one after the other; for tests and commands. */
  runAll(): Promise<number>
}

/** Failures without a step forward between them. */
const MAX_ATTEMPTS = 5
/** A job that brings its process down again and again must not do so for ever. */
const MAX_CLAIMS = 20

/** Takes jobs from the queue while it runs. Any number of processes may do so at the same time. */
export function createJobWorker({
  app,
  run,
  abandon,
  atOnce = 2,
  timings = {},
  onError,
}: WorkerOptions): JobWorker {
  const worker = randomUUID()
  const { leaseSeconds, renewMs, pollMs, retrySeconds } = { ...JOB_TIMINGS, ...timings }
  const leases = leasesOf(app, worker, leaseSeconds)
  const inHand = new Map<string, { parada: Parada; done: Promise<void> }>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let stopped = true

  async function takeOne(): Promise<boolean> {
    // One account never has all places: the last one is for those who have nothing under way.
    const idleOnly = atOnce > 1 && inHand.size === atOnce - 1
    const job = await leases.claim({ idleOnly })
    if (job === null) return false
    const parada: Parada = { canceled: false, lost: false }
    const done = perform(job, parada).finally(() => {
      inHand.delete(job.id)
      wake()
    })
    inHand.set(job.id, { parada, done })
    return true
  }

  async function perform(job: JobReservado, parada: Parada): Promise<void> {
    const beat = setInterval(() => {
      leases.renew(job.id).then(
        (lease) => {
          if (lease === null) parada.lost = true
          else if (lease.parar) parada.canceled = true
        },
        (error) => onError(error, job),
      )
    }, renewMs)
    try {
      if (job.tentativas > MAX_CLAIMS) {
        onError(new Error('the job never comes to its end'), job)
        await giveUp(job, 'failed', { code: 'FAILED' })
      } else await run(job, worker, parada)
    } catch (error) {
      await settle(job, parada, error).catch((failure) => onError(failure, job))
    } finally {
      clearInterval(beat)
    }
  }

  /** How a job ends that did not come to its own end. */
  async function settle(job: JobReservado, parada: Parada, error: unknown): Promise<void> {
    if (error instanceof JobPerdido || parada.lost) return
    if (error instanceof JobCancelado || parada.canceled) {
      await endStopped(job)
      return
    }
    const passing = error instanceof AppError && error.is('UNAVAILABLE')
    if (!passing) onError(error, job)
    // Not retried: it would stall again.
    if (error instanceof JobSemAvanco) await giveUp(job, 'failed', { code: 'STALLED' })
    else if (!passing && job.tentativas >= MAX_ATTEMPTS) await giveUp(job, 'failed', { code: 'FAILED' })
    else await leases.release(job.id, retrySeconds, { counts: !passing })
  }

  /** Stopped by whoever canceled it, or because its owner may not do it any more. */
  async function endStopped(job: JobReservado): Promise<void> {
    if (await leases.isPermitted(job.id)) await giveUp(job, 'canceled', { code: 'CANCELED' })
    else await giveUp(job, 'failed', { code: 'NOT_PERMITTED' })
  }

  /** First the end: should this process die before the rest, the hourly cleaning finds it. */
  async function giveUp(job: JobReservado, status: 'canceled' | 'failed', message: Mensagem): Promise<void> {
    if ((await leases.end(job.id, status, message)) > 0) await abandon(job)
  }

  async function look(): Promise<void> {
    try {
      while (!stopped && inHand.size < atOnce && (await takeOne()));
    } catch (error) {
      onError(error, null)
    }
  }

  function wake(): void {
    if (stopped || looking !== null) return
    looking = look().finally(() => {
      looking = null
    })
  }

  return {
    start() {
      stopped = false
      timer = setInterval(wake, pollMs)
      wake()
    },
    wake,
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
      for (const { parada } of inHand.values()) parada.lost = true
      await Promise.allSettled([...inHand.keys()].map((id) => leases.release(id, 0, { counts: false })))
      await Promise.allSettled([...inHand.values()].map(({ done }) => done))
    },
    async runAll() {
      let count = 0
      while (await takeOne()) {
        count += 1
        await Promise.all([...inHand.values()].map(({ done }) => done))
      }
      return count
    },
  }
}
