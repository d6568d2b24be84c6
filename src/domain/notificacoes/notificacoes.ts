import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import type { JobRow } from '../jobs/jobs.sql.ts'
import { findOwnJobs } from '../jobs/jobs.ts'
import {
  countUnread,
  insertNotificacao,
  listNotificacoes,
  markRead,
  type NotificacaoRow,
} from './notificacoes.sql.ts'

export { forgetNotificacoes } from './notificacoes.sql.ts'

/**
 * Notifications of an account, for its eyes alone. The end of a job makes one by a trigger; what somebody else, or the service, did
 * to the account is written with the mail that tells of it.
 */

export const TIPOS_DE_NOTIFICACAO = [
  'job',
  'webhook_desligado',
  'sessoes_encerradas',
  'mfa_encerrado',
  'senha_definida',
] as const
type TipoDeNotificacao = (typeof TIPOS_DE_NOTIFICACAO)[number]

/** Newest ones that are shown. */
export const MAX_NOTIFICACOES = 100

/** In the transaction of what happened. */
export async function notify(
  tx: Db,
  usuarioId: number,
  tipo: Exclude<TipoDeNotificacao, 'job'>,
  now: Date,
  dados: { webhook_id?: string } = {},
): Promise<void> {
  await insertNotificacao(tx, usuarioId, { tipo, dados }, now)
}

export interface Notificacao extends Omit<NotificacaoRow, 'job_id'> {
  /** As its owner may see it now. */
  job: JobRow | null
}

export async function allNotificacoes(
  app: Pick<App, 'db' | 'municipios' | 'territorios'>,
  caller: Caller,
): Promise<{ notificacoes: Notificacao[]; naoLidas: number }> {
  const rows = await listNotificacoes(app.db, caller.id, MAX_NOTIFICACOES)
  const ids = rows.flatMap(({ job_id }) => (job_id === null ? [] : [job_id]))
  const jobs = new Map((await findOwnJobs(app, caller, ids)).map((job) => [job.id, job]))
  const notificacoes = rows.map(({ job_id, ...row }) => ({
    ...row,
    job: job_id === null ? null : (jobs.get(job_id) ?? null),
  }))
  return { notificacoes, naoLidas: await countUnread(app.db, caller.id) }
}

/** Marks all up to one as read; later ones, which the reader has not seen, stay. Returns how many are left. */
export async function readNotificacoes(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { id }: Pick<Caller, 'id'>,
  ate: number,
): Promise<number> {
  await markRead(db, id, ate, clock.now())
  return countUnread(db, id)
}
