import type { Caller } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import type { JobApp } from '../jobs/job-app.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { JobTask } from '../jobs/queue.ts'
import { findVerificacao, type VerificacaoRow } from './verificacao.sql.ts'

/** Verification of the audit's chain as a job: it reads all of it, which takes minutes at millions of records. */

/** Finds the same as `npm run vigia -- audit:verify`, for administrators without a shell. */
export async function requestVerificacao(
  app: Pick<App, 'db' | 'clock' | 'jobs'>,
  caller: Caller,
): Promise<string> {
  const id = await app.db.transaction((tx) =>
    enqueueJob(app, tx, caller, {
      tipo: 'verificacao_auditoria',
      trabalho: 'verificacao',
      parametros: {},
      permissoes: ['admin'],
    }),
  )
  app.jobs.wake()
  return id
}

/** The last verification, while its job is kept; null: none. Every reader of the audit may know it, whatever their territory. */
export const lastVerificacao = ({ db }: Pick<App, 'db'>): Promise<VerificacaoRow | null> =>
  findVerificacao(db)

export async function runVerificacao(app: JobApp, task: JobTask): Promise<void> {
  const found = await app.auditoria.verify(app.db, async (checked, of) => {
    task.proceed()
    await task.progress(Math.floor((99 * checked) / Math.max(of, 1)))
  })
  const resultado = found.ok
    ? { integra: true, registros: found.total, ate: found.ate?.toISOString() ?? null }
    : { integra: false, registro: found.id, problema: found.problem }
  await app.db.transaction((tx) =>
    task.finish(tx, { message: { code: 'COMPLETED', trabalho: 'verificacao', rejeitadas: 0 }, resultado }),
  )
}
