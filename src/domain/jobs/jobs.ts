import { randomBytes } from 'node:crypto'
import type { Caller } from '../../caller/caller.ts'
import type { Permission } from '../../caller/permissions.ts'
import type { Db } from '../../db/db.ts'
import { AppError, because } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import {
  cancelWaitingOf,
  countWaiting,
  findJob,
  findJobs,
  insertJob,
  type JobRow,
  lockQueueOf,
  pageOfJobRows,
  requestCancel,
  trimEntradas,
} from './jobs.sql.ts'
import { insertSystemJob, SYSTEM_JOBS, type SystemJob } from './queue.sql.ts'
import { STATUS_DE_JOB } from './status.ts'
import { isStillWithin } from './territorio.ts'
import type { Trabalho } from './texts/texts.ts'

export {
  addToResult,
  discardEntrada,
  findEntrada,
  findJob,
  forgetExpiredFiles,
  forgetJobs,
  releaseEntrada,
} from './jobs.sql.ts'

/** Background jobs as users see them: requested, listed, canceled. The queue behind them is in `queue.ts`. */

export const TIPOS_DE_JOB = [
  'importacao',
  'desfazer_importacao',
  'importacao_series',
  'desfazer_series',
  'importacao_epizootias',
  'desfazer_epizootias',
  'exportacao_casos',
  'exportacao_usuarios',
  'exportacao_auditoria',
  'exportacao_epizootias',
  'extrato_casos',
  'boletim',
  'verificacao_auditoria',
  'varredura_duplicidades',
] as const
export type TipoDeJob = (typeof TIPOS_DE_JOB)[number]

export const JOBS_LIST: ListRules = {
  fields: {
    tipo: { type: 'text', operators: ['eq', 'ne', 'in'], values: TIPOS_DE_JOB },
    status: { type: 'text', operators: ['eq', 'ne', 'in'], values: STATUS_DE_JOB },
    progress: { type: 'integer' },
    created_at: { type: 'datetime' },
    completed_at: { type: 'datetime' },
    arquivo_guardado_ate: { type: 'datetime' },
  },
  sortable: ['created_at', 'completed_at', 'status', 'tipo', 'progress'],
  defaultSort: { field: 'created_at', order: 'desc' },
}

export interface JobRequest {
  tipo: TipoDeJob
  trabalho: Trabalho
  parametros: Record<string, unknown>
  /** Required at the request, at the start, at the commit and at the download of the file. */
  permissoes: Permission[]
  /** Input file; deleted when the job ends. */
  arquivo?: { id: string; tamanho: number }
}

/** Quota of waiting jobs an account, so that one cannot fill the shared queue. */
export const MAX_WAITING = { jobs: 10, bytes: 4 * 1024 ** 3 }
const RETRY_SECONDS = 60

/** Refuses (429) a request beyond the account's quota; `bytes`: size of the file to come. */
export async function assertRoomInQueue(db: Db, usuarioId: number, bytes: number): Promise<void> {
  const waiting = await countWaiting(db, usuarioId)
  if (waiting.jobs >= MAX_WAITING.jobs || waiting.bytes + bytes > MAX_WAITING.bytes)
    throw because('TOO_MANY_JOBS', { retryAfter: RETRY_SECONDS })
}

/** Enqueues in the caller's transaction. Ids carry 144 random bits: they cannot be guessed. */
export async function enqueueJob(
  { clock }: Pick<App, 'clock'>,
  tx: Db,
  caller: Pick<Caller, 'id' | 'nome' | 'territorio'>,
  { tipo, trabalho, parametros, permissoes, arquivo = undefined }: JobRequest,
): Promise<string> {
  await lockQueueOf(tx, caller.id)
  await assertRoomInQueue(tx, caller.id, arquivo?.tamanho ?? 0)
  const id = newJobId()
  const usuario = { id: caller.id, nome: caller.nome }
  const arquivo_id = arquivo?.id ?? null
  const territorios = caller.territorio?.lugares ?? null
  await insertJob(
    tx,
    { id, tipo, trabalho, usuario, parametros, permissoes, territorios, arquivo_id },
    clock.now(),
  )
  return id
}

const newJobId = () => `job_${randomBytes(18).toString('base64url')}`

/** Enqueues a job of the service itself; false where one of its kind waits or runs. Its callers ask one after the other. */
export async function enqueueSystemJob(
  { clock }: Pick<App, 'clock'>,
  tx: Db,
  tipo: SystemJob,
): Promise<boolean> {
  return (await insertSystemJob(tx, newJobId(), tipo, clock.now())) > 0
}

const isSystems = ({ tipo }: JobRow) => (SYSTEM_JOBS as readonly string[]).includes(tipo)

type Viewer = Pick<Caller, 'id' | 'holdsAll' | 'territorio'>
type Reading = Pick<App, 'db' | 'municipios' | 'territorios'>

/** `everybody`: jobs of all accounts, for administrators alone. */
export async function pageOfJobs(
  app: Reading,
  caller: Viewer,
  list: ListQuery,
  everybody = false,
): Promise<Page<JobRow>> {
  if (everybody && !caller.holdsAll) throw new AppError('PERMISSION_DENIED', { required_permission: 'admin' })
  const page = await pageOfJobRows(app.db, everybody ? null : caller.id, list)
  return { ...page, items: page.items.map((job) => seenBy(app, caller, job)) }
}

/** Visible to its owner and to administrators; null for others. */
export async function findVisibleJob(app: Reading, caller: Viewer, id: string): Promise<JobRow | null> {
  const job = await findJob(app.db, id)
  if (job === null || isSystems(job)) return null
  return job.usuario_id === caller.id || caller.holdsAll ? seenBy(app, caller, job) : null
}

/** The caller's own among the given ones. */
export async function findOwnJobs(app: Reading, caller: Viewer, ids: string[]): Promise<JobRow[]> {
  const jobs = ids.length === 0 ? [] : await findJobs(app.db, ids)
  return jobs.filter((job) => job.usuario_id === caller.id).map((job) => seenBy(app, caller, job))
}

/** Without result and file once the owner's territory is smaller: both tell of cases that are outside now. */
function seenBy(app: Reading, caller: Viewer, job: JobRow): JobRow {
  return isStillWithin(app, caller, job)
    ? job
    : { ...job, resultado: null, arquivo_id: null, guardado_ate: null }
}

export async function getJob(app: Reading, caller: Viewer, id: string): Promise<JobRow> {
  const job = await findVisibleJob(app, caller, id)
  if (job === null) throw new AppError('NOT_FOUND')
  return job
}

export async function cancelJob(
  app: Reading & Pick<App, 'clock'>,
  caller: Caller,
  id: string,
): Promise<JobRow> {
  const job = await getJob(app, caller, id)
  if (job.status !== 'processing') throw because('JOB_OVER')
  if ((await requestCancel(app.db, id, { code: 'CANCELED' }, app.clock.now())) === 'over') {
    const now = await getJob(app, caller, id)
    if (now.status !== 'canceled') throw because('JOB_OVER')
    return now
  }
  return getJob(app, caller, id)
}

/** Quota of input files that an account has kept. */
const MAX_ENTRADAS = { files: 5, bytes: MAX_WAITING.bytes }

export async function keepNewestEntradas(tx: Db, usuarioId: number): Promise<void> {
  await trimEntradas(tx, usuarioId, MAX_ENTRADAS)
}

/** Cancels the waiting jobs of an account that is deactivated or removed; workers stop its running ones at the next renewal. */
export async function endJobsOf(tx: Db, usuarioId: number, now: Date): Promise<void> {
  await cancelWaitingOf(tx, usuarioId, { code: 'ACCOUNT_OFF' }, now)
}
