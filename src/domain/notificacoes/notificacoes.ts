import { type Caller, holds } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import type { App } from '../app.ts'
import type { JobRow } from '../jobs/jobs.sql.ts'
import { findOwnJobs } from '../jobs/jobs.ts'
import type { Lugar } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import {
  countUnread,
  insertDaNoticia,
  insertNotificacao,
  insertNotificacoes,
  listNotificacoes,
  markRead,
  type NotificacaoRow,
  takeUnread,
} from './notificacoes.sql.ts'

export { forgetNotificacoes, type LeitorAvisado, listLeitores } from './notificacoes.sql.ts'

/**
 * Notifications of an account, for its eyes alone. The end of a job makes one by a trigger; what somebody else, or the service, did
 * to the account is written with the mail that tells of it; levels of alert that rose and news with what they tell of.
 */

export const TIPOS_DE_NOTIFICACAO = [
  'job',
  'webhook_desligado',
  'sessoes_encerradas',
  'mfa_encerrado',
  'senha_definida',
  'alertas',
  'noticia',
] as const
type TipoDeNotificacao = (typeof TIPOS_DE_NOTIFICACAO)[number]

/** Newest ones that are shown. */
export const MAX_NOTIFICACOES = 100

/** In the transaction of what happened. */
export async function notify(
  tx: Db,
  usuarioId: number,
  tipo: Exclude<TipoDeNotificacao, 'job' | 'alertas' | 'noticia'>,
  now: Date,
  dados: { webhook_id?: string } = {},
): Promise<void> {
  await insertNotificacao(tx, usuarioId, { tipo, dados }, now)
}

/** To all who may read it, in the transaction that stores or publishes it; `autorId`: who is left out, having just written it. */
export async function notifyNoticia(
  tx: Db,
  noticiaId: number,
  autorId: number | null,
  now: Date,
): Promise<void> {
  await insertDaNoticia(tx, { noticiaId, permissao: LER_NOTICIAS, except: autorId }, now)
}

const LER_NOTICIAS = 'noticias.listar'
const LER_ALERTAS = 'agravos.estatisticas'

/** Levels that rose, summed up for an account. */
export interface AlertasAvisados {
  tipo_agravo: string
  semana: string
  /** The highest, and the place that has it. */
  nivel: string
  lugar: Pick<Lugar, 'nivel' | 'codigo' | 'nome' | 'estado'>
  /** Expected there. */
  casos: number
  total: number
}

/**
 * Sums up what is new with what the account has not read yet of the same disease and week: a national account has one notification,
 * not one for each municipality. In the transaction of the alerts.
 */
export async function notifyAlertas(
  tx: Db,
  { tipo_agravo, semana }: Pick<AlertasAvisados, 'tipo_agravo' | 'semana'>,
  usuarioIds: readonly number[],
  sumUp: (usuarioId: number, unread: AlertasAvisados | null) => AlertasAvisados,
  now: Date,
): Promise<void> {
  const unread = await takeUnread(tx, usuarioIds, { tipo: 'alertas', chave: { tipo_agravo, semana } })
  const dadosOf = new Map(unread.map(({ usuario_id, dados }) => [usuario_id, dados]))
  const novas = usuarioIds.map((usuario_id) => {
    const before = (dadosOf.get(usuario_id) ?? null) as unknown as AlertasAvisados | null
    return { usuario_id, dados: { ...sumUp(usuario_id, before) } }
  })
  await insertNotificacoes(tx, 'alertas', novas, now)
}

export interface Notificacao extends Omit<NotificacaoRow, 'job_id'> {
  /** As its owner may see it now; the others as well. */
  job: JobRow | null
  alertas: AlertasAvisados | null
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
    noticia: holds(caller, LER_NOTICIAS) ? row.noticia : null,
    alertas: alertasOf(row, caller),
  }))
  return { notificacoes, naoLidas: await countUnread(app.db, caller.id) }
}

/** Null for an account that may no longer know the place. */
function alertasOf({ tipo, dados }: Pick<NotificacaoRow, 'tipo' | 'dados'>, caller: Caller) {
  if (tipo !== 'alertas' || !holds(caller, LER_ALERTAS)) return null
  const alertas = dados as unknown as AlertasAvisados
  return seesWhole(caller, alertas.lugar) ? alertas : null
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
