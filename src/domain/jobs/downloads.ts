import { type Caller, firstLacking } from '../../caller/caller.ts'
import { AppError, because } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { readArquivo } from '../arquivos/arquivos.ts'
import { by } from '../auditoria/auditoria.ts'
import { findJob, type JobRow } from './jobs.sql.ts'
import type { TipoDeJob } from './jobs.ts'
import { isStillWithin } from './territorio.ts'

/**
 * Downloads of files made by jobs, whose content was selected by the owner's permissions and territory: only the owner may
 * fetch one, while holding the permissions the job was requested with and all the places it was bounded by, and every download
 * is recorded in the audit.
 */

export type DownloadNeeds = Pick<App, 'db' | 'cipher' | 'clock' | 'auditoria' | 'municipios' | 'territorios'>

export interface Download {
  nome: string
  tipo: string
  content: AsyncIterable<Buffer> | Iterable<Buffer>
}

const EXPORTS: readonly TipoDeJob[] = [
  'exportacao_casos',
  'exportacao_usuarios',
  'exportacao_auditoria',
  'exportacao_epizootias',
  'extrato_casos',
]

export async function openExport(app: DownloadNeeds, caller: Caller, id: string): Promise<Download> {
  const job = await getEnded(app, caller, id, EXPORTS, 'JOB_IS_NO_EXPORT')
  return openFile(app, caller, job, 'exportacao.baixada')
}

/** An ended job of the caller, of one of these kinds; the caller must still hold its permissions and its territory. */
export async function getEnded(
  app: Pick<App, 'db' | 'municipios' | 'territorios'>,
  caller: Caller,
  id: string,
  tipos: readonly TipoDeJob[],
  otherwise: 'JOB_IS_NO_EXPORT' | 'JOB_IS_NO_IMPORT',
): Promise<JobRow> {
  const job = await findJob(app.db, id)
  if (job === null || job.usuario_id !== caller.id) throw new AppError('NOT_FOUND')
  if (!(tipos as readonly string[]).includes(job.tipo)) throw because(otherwise)
  const lacking = firstLacking(caller, job.permissoes)
  if (lacking !== null) throw new AppError('PERMISSION_DENIED', { required_permission: lacking })
  if (!isStillWithin(app, caller, job)) throw new AppError('OUT_OF_TERRITORY')
  if (job.status === 'processing') throw because('JOB_NOT_OVER')
  return job
}

/** Recorded in the audit before the first byte. */
export async function openFile(
  app: DownloadNeeds,
  caller: Caller,
  job: JobRow,
  acao: string,
): Promise<Download> {
  const { arquivo_id, arquivo_nome, arquivo_tipo, arquivo_expira_em } = job
  if (job.resultado === null) throw because('JOB_WITHOUT_FILE')
  if (arquivo_id === null || arquivo_expira_em === null || arquivo_expira_em <= app.clock.now())
    throw because('JOB_FILE_EXPIRED')
  await app.db.transaction((tx) =>
    app.auditoria.record(tx, {
      acao,
      ...by(caller),
      recurso: 'job',
      recurso_id: job.id,
      detalhes: { tipo: job.tipo, permissoes: job.permissoes },
    }),
  )
  return {
    nome: arquivo_nome ?? 'arquivo',
    tipo: arquivo_tipo ?? 'application/octet-stream',
    content: readArquivo(app, arquivo_id),
  }
}
