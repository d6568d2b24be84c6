import type { Db } from '../../../db/db.ts'
import { join, type Sql, sql } from '../../../db/sql.ts'
import { sweepQueue } from '../../../db/sweep.ts'
import { markCounted, markPlaces } from './mudados.sql.ts'

/**
 * Queues of changes that are not in the counters yet. `gerais` feeds the series of the country and of states by day, week, month and
 * ever; `detalhes` feeds municipalities by month and ever, sex, age and onset by month, weeks of onset of every place, and profiles
 * by year.
 */
export type CounterQueue = 'gerais' | 'detalhes'
export const QUEUES = ['gerais', 'detalhes'] as const satisfies CounterQueue[]

const QUEUE_TABLE: Record<CounterQueue, Sql> = {
  gerais: sql`casos_contagens_pendentes_gerais`,
  detalhes: sql`casos_contagens_pendentes`,
}
const QUEUE_KEY: Record<CounterQueue, Sql> = {
  gerais: sql`tipo_agravo, classe, dia, estado`,
  detalhes: sql`tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas, semana, atraso,
    desfecho`,
}

const SUM = sql`
  sum(total)::integer as total, sum(hospitalizados)::integer as hospitalizados, sum(obitos)::integer as obitos`
const CHANGES_SOMETHING = sql`sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0`

/**
 * Rows of `casos_contagens` that a relation with the columns of a queue sums up to, each once, in roughly the order of the
 * primary key.
 */
const SUMS: Record<CounterQueue, (contadas: Sql) => Sql> = {
  gerais: (contadas) => sql`
    select (case when grouping(estado) = 0 then estado else '' end) collate "C" as lugar,
      (case when grouping(dia) = 0 then 'dia' when grouping(domingo) = 0 then 'semana_notificacao' when grouping(mes) = 0 then 'mes'
        else 'sempre' end) collate "C" as serie,
      coalesce(dia, domingo, mes, date '0001-01-01') as inicio, tipo_agravo, coalesce(classe, '') collate "C" as classe,
      '' collate "C" as valor, ${SUM}
    from (select *, semana_de(dia) as domingo from ${withMonths(contadas)}) c
    group by tipo_agravo, grouping sets ((classe, dia), (classe, dia, estado), (domingo), (domingo, estado), (classe, mes),
      (classe, mes, estado), (classe), (classe, estado))
    having ${CHANGES_SOMETHING} order by 1, 2, 3`,
  detalhes: (contadas) => sql`
    select (case when grouping(municipio) = 0 then estado || lpad(municipio::text, 7, '0')
        when grouping(estado) = 0 then estado else '' end) collate "C" as lugar,
      (case when grouping(atraso) = 0 then 'atraso' when grouping(perfil) = 0 then 'perfil' when grouping(semana) = 0 then 'semana_sintomas'
        when grouping(sexo) = 0 then 'sexo' when grouping(faixa_etaria) = 0 then 'faixa_etaria'
        when grouping(data_inicio_sintomas) = 0 then 'data_inicio_sintomas' when grouping(mes) = 0 then 'mes'
        else 'sempre' end) collate "C" as serie,
      coalesce(semana, ano, mes, date '0001-01-01') as inicio, tipo_agravo,
      (case when grouping(classe) = 0 then classe else situacao end) collate "C" as classe,
      coalesce(sexo, faixa_etaria, data_inicio_sintomas, atraso::text, perfil, '') collate "C" as valor, ${SUM}
    from (
      select *, case when classe = 'descartado' then 'd' else 'p' end as situacao, ano_da_semana(semana) as ano,
        sexo || '|' || faixa_etaria || '|' || desfecho as perfil
      from ${withMonths(contadas)}
    ) c
    group by tipo_agravo, grouping sets ((classe, estado, municipio), (classe, mes, estado, municipio), (classe, mes, sexo),
      (classe, mes, estado, sexo), (classe, mes, faixa_etaria), (classe, mes, estado, faixa_etaria),
      (classe, mes, data_inicio_sintomas), (classe, mes, estado, data_inicio_sintomas), (classe, semana),
      (classe, estado, semana), (classe, estado, municipio, semana), (situacao, semana, atraso),
      (situacao, estado, semana, atraso), (situacao, estado, municipio, semana, atraso),
      (classe, ano, perfil), (classe, estado, ano, perfil))
    having ${CHANGES_SOMETHING} order by 1, 2, 3`,
}

function withMonths(contadas: Sql): Sql {
  return sql`(select *, date_trunc('month', dia::timestamp)::date as mes from ${contadas}) com_mes`
}

/** Advisory lock of every writer of counters; the trigger on `truncate` takes it too. */
const LOCK = 8_443_010

/**
 * Planner settings of a fold: sums in memory, counters looked up one by one in the order of the sums. A hash or merge join would
 * read all counters, however few change, and hashing would scatter new ones that are read together.
 */
const FOLD_SETTINGS = sql`set_config('work_mem', '128MB', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true)`

/** Waits for the lock, and holds it until the end of the transaction. */
export function lockCounters(tx: Db): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(${LOCK}), ${FOLD_SETTINGS}`)
}

/** False where another writer holds the lock. */
export async function tryLockCounters(tx: Db): Promise<boolean> {
  const row = await tx.first<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as locked, ${FOLD_SETTINGS}`,
  )
  return row?.locked ?? false
}

export async function countPending(db: Db, queue: CounterQueue, atMost: number): Promise<number> {
  const row = await db.first<{ pending: number }>(sql`
    select count(*) as pending from (select from ${QUEUE_TABLE[queue]} limit ${atMost}) p`)
  return row?.pending ?? 0
}

/** Only details name municipalities; general numbers come with the same changes. */
const MARKS: Record<CounterQueue, Sql> = {
  gerais: sql``,
  detalhes: sql`, mudados as (${markPlaces(sql`contadas`)})`,
}

/** Moves up to `atMost` queued rows into the counters; only under the lock. Number of counters changed. */
export function addPending(tx: Db, queue: CounterQueue, atMost: number): Promise<number> {
  const pendentes = QUEUE_TABLE[queue]
  return tx.run(sql`
    with contadas as (
      delete from ${pendentes} where ctid = any(array(select ctid from ${pendentes} limit ${atMost})) returning *
    ), somas as (${SUMS[queue](sql`contadas`)})${MARKS[queue]}
    merge into casos_contagens c using somas s
    on (c.lugar = s.lugar and c.serie = s.serie and c.inicio = s.inicio and c.tipo_agravo = s.tipo_agravo
      and c.classe = s.classe and c.valor = s.valor)
    when matched then update set total = c.total + s.total, hospitalizados = c.hospitalizados + s.hospitalizados,
      obitos = c.obitos + s.obitos
    when not matched then insert
      values (s.lugar, s.serie, s.inicio, s.tipo_agravo, s.classe, s.valor, s.total, s.hospitalizados, s.obitos)`)
}

export interface Discrepancy {
  lugar: string
  serie: string
  inicio: string
  tipo_agravo: string
  classe: string
  valor: string
  /** Missing in the counters; below zero, too many. */
  total: number
  hospitalizados: number
  obitos: number
}

/** Compares cases with counters and queues, in one statement. */
export function listDiscrepancies(db: Db, atMost: number): Promise<Discrepancy[]> {
  const notPending = (queue: CounterQueue) => sql`(
    select ${QUEUE_KEY[queue]}, total, hospitalizados, obitos from casos_contados
    union all
    select ${QUEUE_KEY[queue]}, -total, -hospitalizados, -obitos from ${QUEUE_TABLE[queue]})`
  return db.rows(sql`
    select lugar, serie, inicio, tipo_agravo, classe, valor, ${SUM}
    from (
      ${allSums((queue) => sql`${notPending(queue)} esperadas`)}
      union all
      select lugar, serie, inicio, tipo_agravo, classe, valor, -total, -hospitalizados, -obitos from casos_contagens
    ) d
    group by 1, 2, 3, 4, 5, 6 having ${CHANGES_SOMETHING}
    order by 1, 2, 3, 4, 5, 6 limit ${atMost}`)
}

const allSums = (contadas: (queue: CounterQueue) => Sql): Sql =>
  join(
    QUEUES.map((queue) => sql`(${SUMS[queue](contadas(queue))})`),
    ' union all ',
  )

/** Recomputes all counters, under a lock that keeps cases from changing. */
export async function recountAll(tx: Db): Promise<void> {
  await tx.run(sql`lock table casos in share row exclusive mode`)
  await markCounted(tx)
  for (const queue of QUEUES) await tx.run(sql`delete from ${QUEUE_TABLE[queue]}`)
  await tx.run(sql`delete from casos_contagens`)
  await tx.run(sql`insert into casos_contagens ${allSums(() => sql`casos_contados`)}`)
  await markCounted(tx)
}

/** Truncates the dead end of a queue table; not inside a transaction. */
export const sweepPending = (db: Db, queue: CounterQueue): Promise<void> => sweepQueue(db, QUEUE_TABLE[queue])
