import { randomUUID } from 'node:crypto'
import type { App } from '../domain/app.ts'
import type { ClaimedJob } from '../domain/jobs/queue.sql.ts'
import { JobCanceled, JobLost, JobStalled, leasesOf, type StopRequest } from '../domain/jobs/queue.ts'
import type { JobMessage } from '../domain/jobs/texts/texts.ts'
import { AppError } from '../errors/catalogue.ts'
import { JOB_TIMINGS, type JobTimings } from './timings.ts'

/** Runs one job; rejects unless it ended by itself. */
export type RunJob = (job: ClaimedJob, worker: string, stop: StopRequest) => Promise<void>

export interface WorkerOptions {
  app: Pick<App, 'db' | 'clock' | 'territories'>
  run: RunJob
  /** Removes the leftovers of a job that was ended from outside. */
  abandon(job: ClaimedJob): Promise<void>
  /** Concurrent jobs of this process. */
  atOnce?: number
  timings?: Partial<JobTimings>
  onError(error: unknown, job: Pick<ClaimedJob, 'id' | 'tipo'> | null): void
}

export interface JobWorker {
  start(): void
  /** Looks into the queue now, not at the next poll. */
  wake(): void
  /** Releases the running jobs, so that other workers can resume them at once. */
  stop(): Promise<void>
  /** Runs all waiting jobs one by one, for tests and commands. Number of jobs. */
  runAll(): Promise<number>
}

/** Failures in a row without a checkpoint between them. */
const MAX_ATTEMPTS = 5
/** Claims without a checkpoint: ends jobs that keep killing the whole service. */
const MAX_CLAIMS = 20

/** Claims jobs and runs them, up to `atOnce` side by side. Any number of processes may run one. */
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
  const inHand = new Map<string, { stop: StopRequest; done: Promise<void> }>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let stopped = true

  async function takeOne(): Promise<boolean> {
    // Fairness: the last place is reserved for accounts without a running job.
    const idleOnly = atOnce > 1 && inHand.size === atOnce - 1
    const job = await leases.claim({ idleOnly })
    if (job === null) return false
    const stop: StopRequest = { canceled: false, lost: false }
    const done = perform(job, stop).finally(() => {
      inHand.delete(job.id)
      wake()
    })
    inHand.set(job.id, { stop, done })
    return true
  }

  async function perform(job: ClaimedJob, stop: StopRequest): Promise<void> {
    const beat = setInterval(() => {
      leases.renew(job.id).then(
        (lease) => {
          if (lease === null) stop.lost = true
          else if (lease.stop) stop.canceled = true
        },
        (error) => onError(error, job),
      )
    }, renewMs)
    try {
      if (job.tentativas > MAX_CLAIMS) {
        onError(new Error('the job never comes to its end'), job)
        await giveUp(job, 'failed', { code: 'FAILED' })
      } else await run(job, worker, stop)
    } catch (error) {
      await settle(job, stop, error).catch((failure) => onError(failure, job))
    } finally {
      clearInterval(beat)
    }
  }

  /** Decides what becomes of a job whose run failed: ended, or released for a retry. */
  async function settle(job: ClaimedJob, stop: StopRequest, error: unknown): Promise<void> {
    if (error instanceof JobLost || stop.lost) return
    if (error instanceof JobCanceled || stop.canceled) {
      await endStopped(job)
      return
    }
    const isTransient = error instanceof AppError && error.is('UNAVAILABLE')
    if (!isTransient) onError(error, job)
    // Not retried: it would stall again.
    if (error instanceof JobStalled) await giveUp(job, 'failed', { code: 'STALLED' })
    else if (!isTransient && job.tentativas >= MAX_ATTEMPTS) await giveUp(job, 'failed', { code: 'FAILED' })
    else await leases.release(job.id, retrySeconds, { counts: !isTransient })
  }

  /** Stopped by a cancellation, or because its owner lost a permission. */
  async function endStopped(job: ClaimedJob): Promise<void> {
    if (await leases.isPermitted(job.id)) await giveUp(job, 'canceled', { code: 'CANCELED' })
    else await giveUp(job, 'failed', { code: 'NOT_PERMITTED' })
  }

  /** Ends the job first: leftovers of a crash in between are found by the hourly cleanup. */
  async function giveUp(job: ClaimedJob, status: 'canceled' | 'failed', message: JobMessage): Promise<void> {
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
      for (const { stop } of inHand.values()) stop.lost = true
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
