import type { Permission } from '../../caller/permissions.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type Columns, limit, orderBy, where } from '../../db/where.ts'
import type { ListQuery } from '../../filter.ts'
import { type Etapa, nameOf, textOf } from './messages.ts'
import type { StatusDeJob } from './status.ts'
import type { Mensagem, Trabalho } from './texts/textos.ts'

export interface JobRow {
  id: string
  tipo: string
  status: StatusDeJob
  progress: number
  message: string
  mensagem: Mensagem | null
  etapa: Etapa
  usuario_id: number | null
  permissoes: string[]
  resultado: Record<string, unknown> | null
  arquivo_id: string | null
  arquivo_nome: string | null
  arquivo_tipo: string | null
  arquivo_expira_em: Date | null
  created_at: Date
  completed_at: Date | null
}

const JOB = sql`j.id, j.tipo, j.status, j.progress, j.message, j.mensagem, j.usuario_id, j.permissoes, j.resultado,
  j.arquivo_id, j.arquivo_nome, j.arquivo_tipo, j.arquivo_expira_em, j.created_at, j.completed_at,
  case when f.cancelar then 'canceling' when f.vence_em >= now() then 'running'
    when j.iniciado_em is not null then 'interrupted' else 'waiting' end as etapa`
const FROM = sql`from jobs j left join jobs_fila f on f.job_id = j.id`

const columns: Columns = {
  fields: {
    tipo: sql`j.tipo`,
    status: sql`j.status`,
    // An integer: what it is compared with may be no smallint.
    progress: sql`j.progress::integer`,
    created_at: sql`j.created_at`,
    completed_at: sql`j.completed_at`,
  },
  required: new Set(['tipo', 'status', 'progress', 'created_at']),
  search: (contains) => sql`plain(j.message) like plain(${contains})`,
}

export interface NovoJob {
  id: string
  tipo: string
  trabalho: Trabalho
  usuario: { id: number; nome: string }
  parametros: Record<string, unknown>
  permissoes: Permission[]
  arquivo_id: string | null
}

export function insertJob(db: Db, job: NovoJob, now: Date): Promise<number> {
  return db.run(sql`
    with job as (
      insert into jobs (id, tipo, message, mensagem, usuario_id, usuario_nome, parametros, permissoes, created_at)
      values (${job.id}, ${job.tipo}, ${nameOf(job.trabalho)},
        ${JSON.stringify({ code: 'WAITING', trabalho: job.trabalho } satisfies Mensagem)}, ${job.usuario.id}, ${job.usuario.nome},
        ${JSON.stringify(job.parametros)}, ${job.permissoes}, ${now})
      returning id
    )
    insert into jobs_fila (job_id, arquivo_id) select id, ${job.arquivo_id}::uuid from job`)
}

/** Serialises what one account asks for, so that its limits hold for simultaneous requests, too. */
export function lockQueueOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443012, ${usuarioId})`)
}

/** Jobs of an account that no worker has in hand, and the bytes of the files they are to read. */
export async function countWaiting(db: Db, usuarioId: number): Promise<{ jobs: number; bytes: number }> {
  const row = await db.first<{ jobs: number; bytes: number }>(sql`
    select count(*) as jobs, coalesce(sum(a.tamanho), 0)::bigint as bytes
    from jobs_fila f join jobs j on j.id = f.job_id left join arquivos a on a.id = f.arquivo_id
    where j.usuario_id = ${usuarioId} and (f.trabalhador is null or f.vence_em < now())`)
  return row as { jobs: number; bytes: number }
}

export function findJob(db: Db, id: string): Promise<JobRow | null> {
  return db.first(sql`select ${JOB} ${FROM} where j.id = ${id}`)
}

export function listJobs(db: Db, usuarioId: number, list: ListQuery): Promise<JobRow[]> {
  return db.rows(sql`
    select ${JOB} ${FROM} where j.usuario_id = ${usuarioId} and ${where(list.filter, columns)}
    ${orderBy(list, columns, sql`j.id`)} ${limit(list)}`)
}

export async function countJobs(db: Db, usuarioId: number, { filter }: ListQuery): Promise<number> {
  const row = await db.first<{ total: number }>(sql`
    select count(*) as total from jobs j where j.usuario_id = ${usuarioId} and ${where(filter, columns)}`)
  return (row as { total: number }).total
}

/** Cancels what nobody works on, with the files it was to read; answers how many. */
function cancelWaiting(db: Db, those: Sql, message: Mensagem, now: Date): Promise<number> {
  return db.run(sql`
    with gone as (
      delete from jobs_fila f using jobs j
      where j.id = f.job_id and ${those} and (f.trabalhador is null or f.vence_em < now())
      returning f.job_id, f.arquivo_id
    ), file as (
      delete from arquivos where id in (select arquivo_id from gone)
    )
    update jobs set status = 'canceled', message = ${textOf(message)}, mensagem = ${JSON.stringify(message)},
      completed_at = ${now}
    where id in (select job_id from gone) and status = 'processing'`)
}

export function cancelWaitingOf(db: Db, usuarioId: number, message: Mensagem, now: Date): Promise<number> {
  return cancelWaiting(db, sql`j.usuario_id = ${usuarioId}`, message, now)
}

/** One that nobody works on ends at once; the worker of another one is told. */
export async function requestCancel(
  db: Db,
  id: string,
  message: Mensagem,
  now: Date,
): Promise<'canceled' | 'asked' | 'over'> {
  if ((await cancelWaiting(db, sql`j.id = ${id}`, message, now)) > 0) return 'canceled'
  return (await db.run(sql`update jobs_fila set cancelar = true where job_id = ${id}`)) > 0 ? 'asked' : 'over'
}
