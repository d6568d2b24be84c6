import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import {
  type ClaimedJob,
  claimJob,
  finishJob,
  isPermitted,
  type JobEnd,
  lockTurns,
  releaseJob,
  renewLease,
  saveCheckpoint,
  saveProgress,
} from './queue.sql.ts'
import type { JobMessage } from './texts/texts.ts'

export { isQueueAbandoned, measureJobs, measureJobsEnded } from './queue.sql.ts'

/**
 * Job queue in PostgreSQL, as its workers see it. Own instead of pg-boss or graphile-worker because here the end of a job
 * commits together with the data it changed, a job resumes from checkpoints, each runs in a process of its own, and every
 * write proves that the lease is still held. The price: claims are serialised by one lock, which is nothing for jobs of
 * seconds and minutes.
 *
 *   waiting ── claimed (lease, renewed by a heartbeat) ──► ended: completed, failed, canceled
 *      ▲                        │
 *      └── lease expired, or job released ──────┘   resumes from the last checkpoint
 *
 * Fencing: every statement of a worker has its id in the condition, so that one whose lease expired changes nothing.
 */

/** Canceled, or its owner lost a permission it needs. */
export class JobCanceled extends Error {}
/** Another worker holds the lease. */
export class JobLost extends Error {}
/** The limit of CPU time without a step forward was exceeded. */
export class JobStalled extends Error {}

/** A claimed job, as the code that does its work is given it. */
export interface JobTask {
  job: ClaimedJob
  /** Reports a step forward, and throws when the job is to stop. To be called between blocks. */
  proceed(): void
  /** Stores where to resume, in the transaction of the work done so far. */
  checkpoint(tx: Db, position: unknown, progress: number): Promise<void>
  progress(percent: number): Promise<void>
  /** Throws unless the owner is active and holds the job's permissions. */
  authorise(db: Db): Promise<void>
  /** Ends the job in the transaction of its changes, which is rolled back unless the owner still holds the permissions. */
  finish(tx: Db, end: Partial<JobEnd> & Pick<JobEnd, 'message'>): Promise<void>
}

export interface StopRequest {
  canceled: boolean
  lost: boolean
}

export function createJobTask(
  { db, clock, territories }: Pick<App, 'db' | 'clock' | 'territories'>,
  job: ClaimedJob,
  worker: string,
  stop: StopRequest,
  step: () => void = () => {},
): JobTask {
  let shown = 0
  async function authorise(tx: Db): Promise<void> {
    if (!(await isPermitted(tx, job.id, territories.required))) throw new JobCanceled()
  }
  return {
    authorise,
    job,
    proceed() {
      step()
      if (stop.lost) throw new JobLost()
      if (stop.canceled) throw new JobCanceled()
    },
    async checkpoint(tx, position, progress) {
      if ((await saveCheckpoint(tx, job.id, worker, position, Math.floor(progress))) === 0)
        throw new JobLost()
      step()
    },
    async progress(percent) {
      step()
      const whole = Math.floor(percent)
      if (whole <= shown) return
      shown = whole
      await saveProgress(db, job.id, worker, whole)
    },
    async finish(tx, end) {
      await authorise(tx)
      const whole = { status: 'completed' as const, resultado: null, arquivo: null, ...end }
      if ((await finishJob(tx, job.id, worker, whole, clock.now())) === 0) throw new JobLost()
    },
  }
}

export const LEASE_SECONDS = 10

/** Operations of one worker on the queue. */
export function leasesOf(
  { db, clock, territories }: Pick<App, 'db' | 'clock' | 'territories'>,
  worker: string,
  leaseSeconds = LEASE_SECONDS,
) {
  return {
    /** `idleOnly`: only of accounts without a running job. */
    claim: ({ idleOnly = false } = {}) =>
      db.transaction(async (tx) => {
        await lockTurns(tx)
        return claimJob(tx, worker, leaseSeconds, { idleOnly })
      }),
    /** Null when the lease is lost or the job ended. */
    renew: (id: string) => renewLease(db, id, worker, leaseSeconds, territories.required),
    /** Returns the job to the queue. */
    release: (id: string, delaySeconds: number, { counts }: { counts: boolean }) =>
      releaseJob(db, id, worker, delaySeconds, counts),
    isPermitted: (id: string) => isPermitted(db, id, territories.required),
    end: (id: string, status: 'canceled' | 'failed', message: JobMessage) =>
      finishJob(db, id, worker, { status, message, resultado: null, arquivo: null }, clock.now()),
  }
}
