import { randomBytes } from 'node:crypto'
import type { Caller } from '../../caller/caller.ts'
import type { Permission } from '../../caller/permissions.ts'
import type { Db } from '../../db/db.ts'
import { AppError, because } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import {
  cancelWaitingOf,
  countJobs,
  countWaiting,
  findJob,
  insertJob,
  type JobRow,
  listJobs,
  lockQueueOf,
  requestCancel,
} from './jobs.sql.ts'
import { STATUS_DE_JOB } from './status.ts'
import type { Trabalho } from './texts/textos.ts'

/** Work that takes longer than a request. Whoever asked for it sees its progress; the queue behind it is in `fila.ts`. */

export const TIPOS_DE_JOB = [
  'importacao',
  'desfazer_importacao',
  'exportacao_casos',
  'exportacao_usuarios',
] as const
export type TipoDeJob = (typeof TIPOS_DE_JOB)[number]

export const JOBS_LIST: ListRules = {
  fields: {
    tipo: { type: 'text', operators: ['eq', 'ne', 'in'], values: TIPOS_DE_JOB },
    status: { type: 'text', operators: ['eq', 'ne', 'in'], values: STATUS_DE_JOB },
    progress: { type: 'integer' },
    created_at: { type: 'datetime' },
    completed_at: { type: 'datetime' },
  },
  sortable: ['created_at', 'completed_at', 'status', 'tipo', 'progress'],
  defaultSort: { field: 'created_at', order: 'desc' },
}

export interface Pedido {
  tipo: TipoDeJob
  trabalho: Trabalho
  parametros: Record<string, unknown>
  /** Held when it is asked for, when it begins, when it stores, and when its file is downloaded. */
  permissoes: Permission[]
  /** A file it reads; it goes when the job is over. */
  arquivo?: { id: string; tamanho: number }
}

/** Waiting jobs of one account: a queue that all share must not be filled by one. */
export const MAX_WAITING = { jobs: 10, bytes: 4 * 1024 ** 3 }
const RETRY_SECONDS = 60

/** Rejects (429) what would exceed the account's share of the queue; `bytes`: of the file that comes. */
export async function assertRoomInQueue(db: Db, usuarioId: number, bytes: number): Promise<void> {
  const waiting = await countWaiting(db, usuarioId)
  if (waiting.jobs >= MAX_WAITING.jobs || waiting.bytes + bytes > MAX_WAITING.bytes)
    throw because('TOO_MANY_JOBS', { retryAfter: RETRY_SECONDS })
}

/** In the transaction of what asks for it. 144 random bits: nobody guesses the job of somebody else. */
export async function enqueueJob(
  { clock }: Pick<App, 'clock'>,
  tx: Db,
  caller: Pick<Caller, 'id' | 'nome'>,
  { tipo, trabalho, parametros, permissoes, arquivo = undefined }: Pedido,
): Promise<string> {
  await lockQueueOf(tx, caller.id)
  await assertRoomInQueue(tx, caller.id, arquivo?.tamanho ?? 0)
  const id = `job_${randomBytes(18).toString('base64url')}`
  const usuario = { id: caller.id, nome: caller.nome }
  const arquivo_id = arquivo?.id ?? null
  await insertJob(tx, { id, tipo, trabalho, usuario, parametros, permissoes, arquivo_id }, clock.now())
  return id
}

type Viewer = Pick<Caller, 'id' | 'holdsAll'>

/** Of its owner; administrators see every one. To others it does not exist. */
export async function findVisibleJob(
  { db }: Pick<App, 'db'>,
  caller: Viewer,
  id: string,
): Promise<JobRow | null> {
  const job = await findJob(db, id)
  return job !== null && (job.usuario_id === caller.id || caller.holdsAll) ? job : null
}

export async function getJob(app: Pick<App, 'db'>, caller: Viewer, id: string): Promise<JobRow> {
  const job = await findVisibleJob(app, caller, id)
  if (job === null) throw new AppError('NOT_FOUND')
  return job
}

export async function pageOfJobs(
  { db }: Pick<App, 'db'>,
  caller: Caller,
  list: ListQuery,
): Promise<Page<JobRow>> {
  const [items, total] = await Promise.all([listJobs(db, caller.id, list), countJobs(db, caller.id, list)])
  return { items, total, page: list.page, size: list.size }
}

export async function cancelJob(app: Pick<App, 'db' | 'clock'>, caller: Caller, id: string): Promise<JobRow> {
  const job = await getJob(app, caller, id)
  if (job.status !== 'processing') throw because('JOB_OVER')
  if ((await requestCancel(app.db, id, { code: 'CANCELED' }, app.clock.now())) === 'over') {
    const now = await getJob(app, caller, id)
    if (now.status !== 'canceled') throw because('JOB_OVER')
    return now
  }
  return getJob(app, caller, id)
}

/** Ends what an account that is switched off or removed has waiting; workers stop what is under way by themselves. */
export async function endJobsOf(tx: Db, usuarioId: number, now: Date): Promise<void> {
  await cancelWaitingOf(tx, usuarioId, { code: 'ACCOUNT_OFF' }, now)
}
