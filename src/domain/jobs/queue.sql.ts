import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { textOf } from './messages.ts'
import type { StatusDeJob } from './status.ts'
import type { JobMessage } from './texts/texts.ts'

/** Leases use the clock of the database, so that instances need not agree on the time. */

export interface ClaimedJob {
  id: string
  numero: number
  tipo: string
  parametros: Record<string, unknown>
  usuario_id: number | null
  usuario_nome: string
  /** Places that its owner was bound to at the request; null: to none. */
  territorios: string[] | null
  arquivo_id: string | null
  ponto: unknown
  tentativas: number
}

/** Serialises claims: fairness needs each claim to see those before it. */
export function lockTurns(tx: Db): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443011)`)
}

/**
 * Claims the next job, fair by account: fewest running jobs first, then the account whose last job began longest ago, then
 * the oldest job. `idleOnly`: only of accounts without a running job.
 */
export async function claimJob(
  tx: Db,
  worker: string,
  leaseSeconds: number,
  { idleOnly }: { idleOnly: boolean },
): Promise<ClaimedJob | null> {
  return tx.first(sql`
    with running as (
      select j.usuario_id, count(*) as total from jobs_fila f join jobs j on j.id = f.job_id
      where f.vence_em >= now() group by j.usuario_id
    ), next as (
      select f.job_id
      from jobs_fila f
      join jobs j on j.id = f.job_id
      left join running r on r.usuario_id is not distinct from j.usuario_id
      where f.disponivel_em <= now() and (f.trabalhador is null or f.vence_em < now())
        and (r.total is null or not ${idleOnly})
      order by coalesce(r.total, 0),
        (select max(o.iniciado_em) from jobs o where o.usuario_id = j.usuario_id) nulls first,
        f.numero
      limit 1
      for update of f skip locked
    ), claimed as (
      update jobs_fila f
      set trabalhador = ${worker}, vence_em = now() + make_interval(secs => ${leaseSeconds}),
        tentativas = tentativas + 1
      from next where f.job_id = next.job_id
      returning f.*
    ), begun as (
      update jobs set iniciado_em = clock_timestamp() where id in (select job_id from claimed)
    )
    select j.id, c.numero, j.tipo, j.parametros, j.usuario_id, j.usuario_nome, j.territorios, c.arquivo_id, c.ponto, c.tentativas
    from claimed c join jobs j on j.id = c.job_id`)
}

/**
 * True when the owner of `j` is active, holds the job's permissions and is bound to the same places as at the request. Where
 * everybody needs a place (`placed`), a job without any is an administrator's, and stops with that right.
 */
const permitted = (placed: boolean) => sql`(j.tipo = any(${SYSTEM_JOBS}) or exists (
  select from usuarios u where u.id = j.usuario_id and u.ativo and (
    exists (select from administradores a where a.id = u.id)
    or territorios_de(u.id) = coalesce(j.territorios, '{}') and not (${placed} and j.territorios is null)
      and j.permissoes <@ array(
        select p.nome from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
        where e.usuario_id = u.id))))`

/** Jobs of the service itself: without an owner, and shown to nobody. */
export const SYSTEM_JOBS = ['alertas', 'duplicidades'] as const
export type SystemJob = (typeof SYSTEM_JOBS)[number]

/** Enqueues a job of the service unless one of its kind is there. Number of jobs. */
export function insertSystemJob(tx: Db, id: string, tipo: SystemJob, now: Date): Promise<number> {
  return tx.run(sql`
    with job as (
      insert into jobs (id, tipo, message, usuario_nome, parametros, created_at)
      select ${id}, ${tipo}, ${tipo}, '', '{}', ${now}
      where not exists (select from jobs_fila f join jobs j on j.id = f.job_id where j.tipo = ${tipo})
      returning id
    )
    insert into jobs_fila (job_id) select id from job`)
}

/** Null when the job was claimed by another worker or ended. `stop`: canceled, or the owner lost a permission it needs. */
export function renewLease(
  db: Db,
  id: string,
  worker: string,
  leaseSeconds: number,
  placed: boolean,
): Promise<{ stop: boolean } | null> {
  return db.first(sql`
    update jobs_fila f set vence_em = now() + make_interval(secs => ${leaseSeconds})
    from jobs j where j.id = f.job_id and f.job_id = ${id} and f.trabalhador = ${worker}
    returning f.cancelar or not ${permitted(placed)} as stop`)
}

export async function isPermitted(db: Db, id: string, placed: boolean): Promise<boolean> {
  return (await db.first(sql`select from jobs j where j.id = ${id} and ${permitted(placed)}`)) !== null
}

/** Progress never decreases. Zero rows: another worker holds the job. */
export function saveCheckpoint(
  db: Db,
  id: string,
  worker: string,
  checkpoint: unknown,
  progress: number,
): Promise<number> {
  return db.run(sql`
    with own as (
      update jobs_fila set ponto = ${JSON.stringify(checkpoint)}, tentativas = 1
      where job_id = ${id} and trabalhador = ${worker}
      returning job_id
    )
    update jobs set progress = greatest(progress, ${progress}) where id in (select job_id from own)`)
}

export function saveProgress(db: Db, id: string, worker: string, progress: number): Promise<number> {
  return db.run(sql`
    update jobs set progress = greatest(progress, ${progress})
    where id in (select job_id from jobs_fila where job_id = ${id} and trabalhador = ${worker})`)
}

export interface JobEnd {
  status: Exclude<StatusDeJob, 'processing'>
  message: JobMessage
  resultado: Record<string, unknown> | null
  arquivo: { id: string; nome: string; tipo: string; expira_em: Date } | null
  /** Input file that is kept, for another job of its owner. */
  entrada?: { id: string; expira_em: Date } | null
}

/** Ends a job and removes it from the queue, in one statement. Zero rows: another worker holds it. */
export function finishJob(
  db: Db,
  id: string,
  worker: string,
  { status, message, resultado, arquivo, entrada = null }: JobEnd,
  now: Date,
): Promise<number> {
  return db.run(sql`
    with own as (
      delete from jobs_fila where job_id = ${id} and trabalhador = ${worker} returning job_id, arquivo_id
    ), unused as (
      update arquivos set em_uso = false where id in (select arquivo_id from own)
    )
    update jobs
    set status = ${status}, message = ${textOf(message)}, mensagem = ${JSON.stringify(message)},
      resultado = ${resultado && JSON.stringify(resultado)},
      progress = case when ${status === 'completed'} then 100 else progress end, completed_at = ${now},
      arquivo_id = ${arquivo?.id ?? null}, arquivo_nome = ${arquivo?.nome ?? null},
      arquivo_tipo = ${arquivo?.tipo ?? null}, arquivo_expira_em = ${arquivo?.expira_em ?? null},
      entrada_id = ${entrada?.id ?? null}, entrada_expira_em = ${entrada?.expira_em ?? null}
    where id in (select job_id from own)`)
}

/** Returns a job to the queue; an attempt that did not fail by itself is not counted. */
export function releaseJob(
  db: Db,
  id: string,
  worker: string,
  delaySeconds: number,
  counts: boolean,
): Promise<number> {
  return db.run(sql`
    update jobs_fila
    set trabalhador = null, vence_em = null, disponivel_em = now() + make_interval(secs => ${delaySeconds}),
      tentativas = tentativas - ${counts ? 0 : 1}
    where job_id = ${id} and trabalhador = ${worker}`)
}

/** True when a claimable job has waited for a minute and no worker holds any. */
export function isQueueAbandoned(db: Db): Promise<boolean> {
  return db.value(sql`
    select exists (select from jobs_fila where disponivel_em < now() - interval '1 minute'
        and (trabalhador is null or vence_em < now()))
      and not exists (select from jobs_fila where vence_em >= now())`)
}

export interface QueueMeasures {
  waiting: number
  running: number
  oldest_seconds: number
}

/** Reads the whole queue, which is short: it holds only jobs that have not ended. */
export function measureJobs(db: Db): Promise<QueueMeasures> {
  return db.one(sql`
    select count(*) filter (where free)::integer as waiting, count(*) filter (where not free)::integer as running,
      coalesce(extract(epoch from now() - min(disponivel_em) filter (where free and disponivel_em <= now())), 0)::float8
        as oldest_seconds
    from (select disponivel_em, trabalhador is null or vence_em < now() as free from jobs_fila) f`)
}

/** Within the last hour. */
export function measureJobsEnded(db: Db): Promise<{ status: string; total: number }[]> {
  return db.rows(sql`
    select status, count(*)::integer as total from jobs
    where completed_at > now() - interval '1 hour' group by status`)
}
