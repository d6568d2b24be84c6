import type { Permission } from '../../caller/permissions.ts'
import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'
import { type JobStage, nameOf, textOf } from './messages.ts'
import { SYSTEM_JOBS } from './queue.sql.ts'
import type { StatusDeJob } from './status.ts'
import type { JobMessage, Trabalho } from './texts/texts.ts'

export interface JobRow {
  id: string
  tipo: string
  status: StatusDeJob
  progress: number
  message: string
  mensagem: JobMessage | null
  stage: JobStage
  usuario_id: number | null
  usuario_nome: string
  permissoes: string[]
  territorios: string[] | null
  resultado: Record<string, unknown> | null
  /** Of an import: what it does with the file, and the name that was sent with that. */
  modo: string | null
  entrada_nome: string | null
  /** Lines of its file that were read so far, while it runs. */
  linhas_lidas: number | null
  /** Of a validation: until when its file can be imported; null once it was, and while it is being. */
  guardado_ate: Date | null
  /** Of an undo: of which import, and whether it only counts. */
  importacao_id: number | null
  simular: boolean | null
  arquivo_id: string | null
  arquivo_nome: string | null
  arquivo_tipo: string | null
  arquivo_expira_em: Date | null
  created_at: Date
  completed_at: Date | null
}

/** A file that an import waits for or reads is not free for another. */
const GUARDADO_ATE = sql`case when j.entrada_id is not null
  and not exists (select from jobs_fila q where q.arquivo_id = j.entrada_id) then j.entrada_expira_em end`

const JOB = sql`j.id, j.tipo, j.status, j.progress, j.message, j.mensagem, j.usuario_id, j.usuario_nome, j.permissoes, j.territorios,
  j.resultado, j.parametros->>'modo' as modo, j.parametros->>'arquivo_nome' as entrada_nome,
  case when j.tipo = 'importacao' then (f.ponto->>'linhas')::integer end as linhas_lidas, ${GUARDADO_ATE} as guardado_ate,
  (j.parametros->>'importacao_id')::integer as importacao_id, (j.parametros->>'simular')::boolean as simular,
  j.arquivo_id, j.arquivo_nome, j.arquivo_tipo, j.arquivo_expira_em, j.created_at, j.completed_at,
  case when f.cancelar then 'canceling' when f.vence_em >= now() then 'running'
    when j.iniciado_em is not null then 'interrupted' else 'waiting' end as stage`
const FROM = sql`jobs j left join jobs_fila f on f.job_id = j.id`

const COLUMNS: Columns = {
  fields: {
    tipo: sql`j.tipo`,
    status: sql`j.status`,
    // Cast from smallint: the filter's value may exceed it.
    progress: sql`j.progress::integer`,
    created_at: sql`j.created_at`,
    completed_at: sql`j.completed_at`,
    arquivo_guardado_ate: GUARDADO_ATE,
  },
  required: new Set(['tipo', 'status', 'progress', 'created_at']),
  search: (contains) => sql`plain(j.message) like plain(${contains})`,
}

export interface NewJob {
  id: string
  tipo: string
  trabalho: Trabalho
  usuario: { id: number; nome: string }
  parametros: Record<string, unknown>
  permissoes: Permission[]
  /** Places that its owner is bound to; null: to none. */
  territorios: readonly string[] | null
  arquivo_id: string | null
}

export function insertJob(db: Db, job: NewJob, now: Date): Promise<number> {
  return db.run(sql`
    with job as (
      insert into jobs (id, tipo, message, mensagem, usuario_id, usuario_nome, parametros, permissoes, territorios,
        created_at)
      values (${job.id}, ${job.tipo}, ${nameOf(job.trabalho)},
        ${JSON.stringify({ code: 'WAITING', trabalho: job.trabalho } satisfies JobMessage)}, ${job.usuario.id}, ${job.usuario.nome},
        ${JSON.stringify(job.parametros)}, ${job.permissoes}, ${job.territorios}, ${now})
      returning id
    )
    insert into jobs_fila (job_id, arquivo_id) select id, ${job.arquivo_id}::uuid from job`)
}

/** Serialises the requests of one account, so that its limits hold among simultaneous ones. */
export function lockQueueOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443012, ${usuarioId})`)
}

/** Jobs of an account that no worker holds, and the bytes of their input files. */
export function countWaiting(db: Db, usuarioId: number): Promise<{ jobs: number; bytes: number }> {
  return db.one(sql`
    select count(*) as jobs, coalesce(sum(a.tamanho), 0)::bigint as bytes
    from jobs_fila f join jobs j on j.id = f.job_id left join arquivos a on a.id = f.arquivo_id
    where j.usuario_id = ${usuarioId} and (f.trabalhador is null or f.vence_em < now())`)
}

export function findJob(db: Db, id: string): Promise<JobRow | null> {
  return db.first(sql`select ${JOB} from ${FROM} where j.id = ${id}`)
}

export function findJobs(db: Db, ids: readonly string[]): Promise<JobRow[]> {
  return db.rows(sql`select ${JOB} from ${FROM} where j.id = any(${ids})`)
}

/** Jobs of an account; with null all that accounts asked for, without those of the service itself. */
export function pageOfJobRows(db: Db, usuarioId: number | null, list: ListQuery): Promise<Page<JobRow>> {
  const only = usuarioId === null ? sql`j.tipo <> all(${SYSTEM_JOBS})` : sql`j.usuario_id = ${usuarioId}`
  return pageOf(db, { select: JOB, from: FROM, columns: COLUMNS, id: sql`j.id`, only }, list)
}

/** Kept after the job that read it first, for another one. */
const isKept = (arquivoId: Sql): Sql => sql`exists (select from jobs k where k.entrada_id = ${arquivoId})`

/** Cancels jobs that no worker holds, and deletes their input files. Number of jobs. */
function cancelWaiting(db: Db, condition: Sql, message: JobMessage, now: Date): Promise<number> {
  return db.run(sql`
    with gone as (
      delete from jobs_fila f using jobs j
      where j.id = f.job_id and ${condition} and (f.trabalhador is null or f.vence_em < now())
      returning f.job_id, f.arquivo_id
    ), file as (
      delete from arquivos a where a.id in (select arquivo_id from gone) and not ${isKept(sql`a.id`)}
        and not exists (select from jobs_fila o where o.arquivo_id = a.id and o.job_id not in (select job_id from gone))
    ), kept as (
      update arquivos a set em_uso = false where a.id in (select arquivo_id from gone) and ${isKept(sql`a.id`)}
    )
    update jobs set status = 'canceled', message = ${textOf(message)}, mensagem = ${JSON.stringify(message)},
      completed_at = ${now}
    where id in (select job_id from gone) and status = 'processing'`)
}

export function cancelWaitingOf(db: Db, usuarioId: number, message: JobMessage, now: Date): Promise<number> {
  return cancelWaiting(db, sql`j.usuario_id = ${usuarioId}`, message, now)
}

/** A job that no worker holds ends at once; for another a flag is set, which its worker reads with the next renewal. */
export async function requestCancel(
  db: Db,
  id: string,
  message: JobMessage,
  now: Date,
): Promise<'canceled' | 'asked' | 'over'> {
  if ((await cancelWaiting(db, sql`j.id = ${id}`, message, now)) > 0) return 'canceled'
  return (await db.run(sql`update jobs_fila set cancelar = true where job_id = ${id}`)) > 0 ? 'asked' : 'over'
}

/** Adds members to the result of a job that is over, as what follows from it is known later. */
export function addToResult(tx: Db, id: string, part: Record<string, unknown>): Promise<number> {
  return tx.run(sql`
    update jobs set resultado = resultado || ${JSON.stringify(part)}::jsonb
    where id = ${id} and resultado is not null`)
}

/** A job that left its input file. */
export interface JobEntrada {
  tipo: string
  status: StatusDeJob
  usuario_id: number | null
  parametros: Record<string, unknown>
  entrada_id: string | null
  entrada_expira_em: Date | null
}

export function findEntrada(db: Db, id: string): Promise<JobEntrada | null> {
  return db.first(sql`
    select tipo, status, usuario_id, parametros, entrada_id, entrada_expira_em from jobs where id = ${id}`)
}

/** No longer kept: the next `discardEntrada` deletes it. */
export function releaseEntrada(tx: Db, arquivoId: string): Promise<number> {
  return tx.run(sql`
    update jobs set entrada_id = null, entrada_expira_em = null where entrada_id = ${arquivoId}`)
}

/** Deletes the input file of a job that is over, unless it is kept or another job reads it. */
export function discardEntrada(db: Db, arquivoId: string, jobId: string): Promise<number> {
  return db.run(sql`
    delete from arquivos a where a.id = ${arquivoId} and not ${isKept(sql`a.id`)}
      and not exists (select from jobs_fila f where f.arquivo_id = a.id and f.job_id <> ${jobId})`)
}

/** Deletes kept input files of an account beyond a number and a sum of bytes, the oldest first; the newest stays whatever its size. */
export function trimEntradas(
  tx: Db,
  usuarioId: number,
  { files, bytes }: { files: number; bytes: number },
): Promise<number> {
  return tx.run(sql`
    delete from arquivos where not em_uso and id in (
      select id from (
        select a.id, row_number() over newest as place, sum(a.tamanho) over newest as total
        from jobs j join arquivos a on a.id = j.entrada_id where j.usuario_id = ${usuarioId}
        window newest as (order by j.completed_at desc, j.id)
      ) kept where place > 1 and (place > ${files} or total > ${bytes}))`)
}

/** Deletes files of jobs that have expired; an input file that is being read again goes with that job. */
export async function forgetExpiredFiles(db: Db, now: Date): Promise<void> {
  await db.run(sql`
    delete from arquivos where id in (select arquivo_id from jobs where arquivo_expira_em <= ${now})`)
  await db.run(sql`
    delete from arquivos a where not a.em_uso
      and a.id in (select entrada_id from jobs where entrada_expira_em <= ${now})
      and not exists (select from jobs_fila f where f.arquivo_id = a.id)`)
}

export function forgetJobs(db: Db, before: Date): Promise<number> {
  return db.run(sql`
    with gone as (delete from jobs where completed_at < ${before} returning arquivo_id)
    delete from arquivos where id in (select arquivo_id from gone)`)
}
