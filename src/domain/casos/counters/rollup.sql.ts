import type { Db } from '../../../db/db.ts'
import { join, type Sql, sql } from '../../../db/sql.ts'
import { sweepQueue } from '../../../db/sweep.ts'

/**
 * What waits in two queues, each for series of its own: `gerais` counts all cases of the country and of states, by day, by
 * month and at all; `detalhes` those of municipalities, and sex, age and onset, by month.
 */
export type Fila = 'gerais' | 'detalhes'
export const FILAS = ['gerais', 'detalhes'] as const satisfies Fila[]

const PENDENTES: Record<Fila, Sql> = {
  gerais: sql`casos_contagens_pendentes_gerais`,
  detalhes: sql`casos_contagens_pendentes`,
}
const CONTADO: Record<Fila, Sql> = {
  gerais: sql`tipo_agravo, classe, dia, estado`,
  detalhes: sql`tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas`,
}

const SOMA = sql`
  sum(total)::integer as total, sum(hospitalizados)::integer as hospitalizados, sum(obitos)::integer as obitos`
const MUDA_ALGO = sql`sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0`

/**
 * The rows of `casos_contagens` that a relation with the columns of a queue adds up to, each once, roughly in the order of
 * their key: neighbours are changed one after the other.
 */
const SOMAS: Record<Fila, (contadas: Sql) => Sql> = {
  gerais: (contadas) => sql`
    select (case when grouping(estado) = 0 then estado else '' end) collate "C" as lugar,
      (case when grouping(dia) = 0 then 'dia' when grouping(mes) = 0 then 'mes' else 'sempre' end) collate "C" as serie,
      coalesce(dia, mes, date '0001-01-01') as inicio, tipo_agravo, classe, '' collate "C" as valor, ${SOMA}
    from ${withMonths(contadas)}
    group by tipo_agravo, classe, grouping sets ((dia), (dia, estado), (mes), (mes, estado), (), (estado))
    having ${MUDA_ALGO} order by 1, 2, 3`,
  detalhes: (contadas) => sql`
    select (case when grouping(municipio) = 0 then estado || lpad(municipio::text, 7, '0')
        when grouping(estado) = 0 then estado else '' end) collate "C" as lugar,
      (case when grouping(sexo) = 0 then 'sexo' when grouping(faixa_etaria) = 0 then 'faixa_etaria'
        when grouping(data_inicio_sintomas) = 0 then 'data_inicio_sintomas' else 'mes' end) collate "C" as serie,
      mes as inicio, tipo_agravo, classe, coalesce(sexo, faixa_etaria, data_inicio_sintomas, '') collate "C" as valor, ${SOMA}
    from ${withMonths(contadas)}
    group by tipo_agravo, classe, mes, grouping sets ((estado, municipio), (sexo), (estado, sexo),
      (faixa_etaria), (estado, faixa_etaria), (data_inicio_sintomas), (estado, data_inicio_sintomas))
    having ${MUDA_ALGO} order by 1, 2, 3`,
}

function withMonths(contadas: Sql): Sql {
  return sql`(select *, date_trunc('month', dia::timestamp)::date as mes from ${contadas}) com_mes`
}

/** The trigger on `truncate` takes it, too. */
const LOCK = 8_443_010

/**
 * Room to sum up in memory, and counters looked up one by one, in the order of the sums: to hash or to merge means to read all
 * there are, however few change, and hashing would also scatter new ones, while those that are read together are to lie together.
 */
const TO_SUM = sql`set_config('work_mem', '128MB', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true)`

/** Who adds up holds this until the end of the transaction: nobody else writes the counters meanwhile. */
export function lockToSum(tx: Db): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(${LOCK}), ${TO_SUM}`)
}

/** Whether nobody else had it. */
export async function tryLockToSum(tx: Db): Promise<boolean> {
  const row = await tx.first<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as locked, ${TO_SUM}`,
  )
  return row?.locked ?? false
}

export async function countPending(db: Db, fila: Fila, atMost: number): Promise<number> {
  const row = await db.first<{ pending: number }>(sql`
    select count(*) as pending from (select from ${PENDENTES[fila]} limit ${atMost}) p`)
  return row?.pending ?? 0
}

/** Up to so many pending rows become part of the counters. Only under the lock. Answers how many rows changed. */
export function addPending(tx: Db, fila: Fila, atMost: number): Promise<number> {
  const pendentes = PENDENTES[fila]
  return tx.run(sql`
    with contadas as (
      delete from ${pendentes} where ctid = any(array(select ctid from ${pendentes} limit ${atMost})) returning *
    ), somas as (${SOMAS[fila](sql`contadas`)})
    merge into casos_contagens c using somas s
    on (c.lugar = s.lugar and c.serie = s.serie and c.inicio = s.inicio and c.tipo_agravo = s.tipo_agravo
      and c.classe = s.classe and c.valor = s.valor)
    when matched then update set total = c.total + s.total, hospitalizados = c.hospitalizados + s.hospitalizados,
      obitos = c.obitos + s.obitos
    when not matched then insert
      values (s.lugar, s.serie, s.inicio, s.tipo_agravo, s.classe, s.valor, s.total, s.hospitalizados, s.obitos)`)
}

export interface Diferenca {
  lugar: string
  serie: string
  inicio: string
  tipo_agravo: string
  classe: string
  valor: string
  /** What the counters lack (or, below zero, have too much). */
  total: number
  hospitalizados: number
  obitos: number
}

/** Cases against counters and what waits, in one statement. */
export function listDiferencas(db: Db, atMost: number): Promise<Diferenca[]> {
  const notPending = (fila: Fila) => sql`(
    select ${CONTADO[fila]}, total, hospitalizados, obitos from casos_contados
    union all
    select ${CONTADO[fila]}, -total, -hospitalizados, -obitos from ${PENDENTES[fila]})`
  return db.rows(sql`
    select lugar, serie, inicio, tipo_agravo, classe, valor, ${SOMA}
    from (
      ${allSomas((fila) => sql`${notPending(fila)} esperadas`)}
      union all
      select lugar, serie, inicio, tipo_agravo, classe, valor, -total, -hospitalizados, -obitos from casos_contagens
    ) d
    group by 1, 2, 3, 4, 5, 6 having ${MUDA_ALGO}
    order by 1, 2, 3, 4, 5, 6 limit ${atMost}`)
}

const allSomas = (contadas: (fila: Fila) => Sql): Sql =>
  join(
    FILAS.map((fila) => sql`(${SOMAS[fila](contadas(fila))})`),
    ' union all ',
  )

/** All counters anew. Nobody may change a case meanwhile. */
export async function recountAll(tx: Db): Promise<void> {
  await tx.run(sql`lock table casos in share row exclusive mode`)
  for (const fila of FILAS) await tx.run(sql`delete from ${PENDENTES[fila]}`)
  await tx.run(sql`delete from casos_contagens`)
  await tx.run(sql`insert into casos_contagens ${allSomas(() => sql`casos_contados`)}`)
}

/** Not inside a transaction. */
export const sweepPending = (db: Db, fila: Fila): Promise<void> => sweepQueue(db, PENDENTES[fila])
