import { LEASE_SECONDS } from '../domain/jobs/queue.ts'

/** Intervals and timeouts of the job worker. The defaults serve; tests hand in shorter ones instead of waiting. */
export interface JobTimings {
  /** A lease not renewed for this long is over, and another worker may claim the job. By the clock of the database. */
  leaseSeconds: number
  /** Heartbeat: several of them fit into a lease, so that one lost renewal costs nothing. */
  renewMs: number
  /** Polling of the queue, for jobs enqueued by other instances; own ones wake the worker. */
  pollMs: number
  /** Delay before a failed job is claimed again. */
  retrySeconds: number
  /** Interval of looking for a request to stop, which is passed on to the process of a job. */
  stopCheckMs: number
  /** Time a canceled job has to stop by itself, before SIGKILL. */
  graceMs: number
  /** CPU time without a step forward after which a job is stalled; a block of the largest honest file takes 1 or 2 s. */
  stallMs: number
  /** A process that stands still inside a transaction loses it: its locks must not hold the next worker back. */
  idleInTransactionMs: number
}

export const JOB_TIMINGS: JobTimings = {
  leaseSeconds: LEASE_SECONDS,
  renewMs: 2_000,
  pollMs: 1_000,
  retrySeconds: 5,
  stopCheckMs: 100,
  graceMs: 3_000,
  stallMs: 60_000,
  idleInTransactionMs: 30_000,
}
