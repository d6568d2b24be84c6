import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import {
  claimJob,
  countEnded,
  type Desfecho,
  findAbandoned,
  finishJob,
  isPermitted,
  type JobReservado,
  type JobsMedidos,
  lockTurns,
  measureFila,
  releaseJob,
  renewLease,
  saveCheckpoint,
  saveProgress,
} from './queue.sql.ts'
import type { Mensagem } from './texts/textos.ts'

/**
 * A job as its worker sees it.
 *
 *   waiting ── claimed (a lease of a few seconds, renewed) ──► finished: completed, failed, canceled
 *      ▲                        │
 *      └── lease over (the worker died), or handed back ──┘   and goes on from its last checkpoint
 *
 * Whatever a worker writes, it writes together with a proof that the job is still its own: one that was thought dead and
 * wakes up again changes nothing.
 */

/** Canceled, or its owner may not do it any more. */
export class JobCancelado extends Error {}
export class JobPerdido extends Error {}
/** It used CPU for as long as it may without a step forward. */
export class JobSemAvanco extends Error {}

export interface Tarefa {
  job: JobReservado
  /** A step forward; throws when the job is to stop. To be called between blocks. */
  proceed(): void
  /** Where to go on after a crash, in the transaction of what was done. */
  checkpoint(tx: Db, ponto: unknown, progress: number): Promise<void>
  progress(percent: number): Promise<void>
  /** Throws when the owner is not active any more or lost a right that the job needs. */
  authorise(db: Db): Promise<void>
  /** The end, in the transaction of what the job changed: rolled back unless the owner still may do it. */
  finish(tx: Db, desfecho: Partial<Desfecho> & Pick<Desfecho, 'message'>): Promise<void>
}

export interface Parada {
  canceled: boolean
  lost: boolean
}

export function createTarefa(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  job: JobReservado,
  worker: string,
  parada: Parada,
  step: () => void = () => {},
): Tarefa {
  let shown = 0
  async function authorise(tx: Db): Promise<void> {
    if (!(await isPermitted(tx, job.id))) throw new JobCancelado()
  }
  return {
    authorise,
    job,
    proceed() {
      step()
      if (parada.lost) throw new JobPerdido()
      if (parada.canceled) throw new JobCancelado()
    },
    async checkpoint(tx, ponto, progress) {
      if ((await saveCheckpoint(tx, job.id, worker, ponto, Math.floor(progress))) === 0)
        throw new JobPerdido()
      step()
    },
    async progress(percent) {
      step()
      const whole = Math.floor(percent)
      if (whole <= shown) return
      shown = whole
      await saveProgress(db, job.id, worker, whole)
    },
    async finish(tx, desfecho) {
      await authorise(tx)
      const whole = { status: 'completed' as const, resultado: null, arquivo: null, ...desfecho }
      if ((await finishJob(tx, job.id, worker, whole, clock.now())) === 0) throw new JobPerdido()
    },
  }
}

/** Jobs wait and no worker is alive. */
export function isQueueAbandoned(db: Db): Promise<boolean> {
  return findAbandoned(db)
}

export function measureJobs(db: Db): Promise<JobsMedidos> {
  return measureFila(db)
}

/** Within the last hour. */
export function measureJobsEnded(db: Db): Promise<{ status: string; total: number }[]> {
  return countEnded(db)
}

export const LEASE_SECONDS = 10

/** What one worker does with the queue. */
export function leasesOf(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  worker: string,
  leaseSeconds = LEASE_SECONDS,
) {
  return {
    /** `idleOnly`: of accounts without a job under way. */
    claim: ({ idleOnly = false } = {}) =>
      db.transaction(async (tx) => {
        await lockTurns(tx)
        return claimJob(tx, worker, leaseSeconds, { idleOnly })
      }),
    /** Null: the job is somebody else's by now, or gone. */
    renew: (id: string) => renewLease(db, id, worker, leaseSeconds),
    /** Back into the queue, for whoever comes next. */
    release: (id: string, delaySeconds: number, { counts }: { counts: boolean }) =>
      releaseJob(db, id, worker, delaySeconds, counts),
    isPermitted: (id: string) => isPermitted(db, id),
    end: (id: string, status: 'canceled' | 'failed', message: Mensagem) =>
      finishJob(db, id, worker, { status, message, resultado: null, arquivo: null }, clock.now()),
  }
}
