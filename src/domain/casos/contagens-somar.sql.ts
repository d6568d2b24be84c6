import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

const SOMA = sql`
  sum(total)::integer as total, sum(hospitalizados)::integer as hospitalizados, sum(obitos)::integer as obitos`
const MES = sql`date_trunc('month', dia::timestamp)::date`

/**
 * The rows of `casos_contagens` that the relation `contadas` adds up to (it has the columns of `casos_contados`), in the
 * order of their key. What is equal is put together before it is counted in each place it belongs to: most of a large set
 * is never multiplied.
 */
const SOMAS = sql`
  dias as (
    select tipo_agravo, classe, estado, municipio, dia, ${SOMA} from contadas group by 1, 2, 3, 4, 5
  ),
  meses as (
    select tipo_agravo, classe, estado, municipio, ${MES} as mes, ${SOMA} from dias group by 1, 2, 3, 4, 5
  ),
  valores as (
    select 'sexo' as serie, tipo_agravo, classe, estado, ${MES} as mes, sexo as valor, ${SOMA}
    from contadas group by 1, 2, 3, 4, 5, 6
    union all
    select 'faixa_etaria', tipo_agravo, classe, estado, ${MES}, faixa_etaria, ${SOMA}
    from contadas group by 1, 2, 3, 4, 5, 6
    union all
    select 'data_inicio_sintomas', tipo_agravo, classe, estado, ${MES}, data_inicio_sintomas, ${SOMA}
    from contadas group by 1, 2, 3, 4, 5, 6
  ),
  linhas as (
    select 'dia' as serie, lugar, dia as inicio, tipo_agravo, classe, '' as valor, total, hospitalizados, obitos
    from dias cross join lateral (values (''), (estado)) l (lugar)
    union all
    select 'mes', lugar, mes, tipo_agravo, classe, '', total, hospitalizados, obitos
    from meses cross join lateral (values (''), (estado), (estado || lpad(municipio::text, 7, '0'))) l (lugar)
    union all
    select serie, lugar, mes, tipo_agravo, classe, valor, total, hospitalizados, obitos
    from valores cross join lateral (values (''), (estado)) l (lugar)
  ),
  somas as (
    select lugar collate "C" as lugar, serie collate "C" as serie, inicio, tipo_agravo collate "C" as tipo_agravo,
      classe collate "C" as classe, valor collate "C" as valor, ${SOMA}
    from linhas group by 1, 2, 3, 4, 5, 6
    having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0
    order by 1, 2, 3, 4, 5, 6
  )`

/** The trigger on `truncate` takes it, too. */
const LOCK = 8_443_010

/** Who adds up holds this until the end of the transaction: nobody else writes the counters meanwhile. */
export async function tryLockContagens(tx: Db): Promise<boolean> {
  const row = await tx.first<{ locked: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as locked`)
  return row?.locked ?? false
}

export function lockContagens(tx: Db): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(${LOCK})`)
}

/** Room to sum up in memory, and no compiling: it would cost more than the work. */
export async function prepareToSum(tx: Db): Promise<void> {
  await tx.run(sql`set local work_mem = '128MB'`)
  await tx.run(sql`set local jit = off`)
}

export async function isAnyPending(db: Db): Promise<boolean> {
  const row = await db.first<{ pending: boolean }>(
    sql`select exists (select from casos_contagens_pendentes) as pending`,
  )
  return row?.pending ?? false
}

/** Up to so many pending rows become part of the counters. Only under the lock. Answers how many rows changed. */
export function addPending(tx: Db, atMost: number): Promise<number> {
  return tx.run(sql`
    with contadas as (
      delete from casos_contagens_pendentes
      where ctid = any(array(select ctid from casos_contagens_pendentes limit ${atMost}))
      returning *
    ), ${SOMAS}
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
  return db.rows(sql`
    with contadas as (
      select tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas,
        total, hospitalizados, obitos
      from casos_contados
      union all
      select tipo_agravo, classe, dia, estado, municipio, sexo, faixa_etaria, data_inicio_sintomas,
        -total, -hospitalizados, -obitos
      from casos_contagens_pendentes
    ), ${SOMAS}
    select lugar, serie, inicio, tipo_agravo, classe, valor, ${SOMA}
    from (
      select * from somas
      union all
      select lugar, serie, inicio, tipo_agravo, classe, valor, -total, -hospitalizados, -obitos from casos_contagens
    ) d
    group by 1, 2, 3, 4, 5, 6
    having sum(total) <> 0 or sum(hospitalizados) <> 0 or sum(obitos) <> 0
    order by 1, 2, 3, 4, 5, 6 limit ${atMost}`)
}

/** All counters anew. Nobody may change a case meanwhile. */
export async function recountAll(tx: Db): Promise<void> {
  await tx.run(sql`lock table casos in share row exclusive mode`)
  await tx.run(sql`delete from casos_contagens_pendentes`)
  await tx.run(sql`delete from casos_contagens`)
  await tx.run(sql`
    with contadas as (select * from casos_contados), ${SOMAS} insert into casos_contagens select * from somas`)
}

/** Rows that were added up are in the way of every reader until they are swept out. */
export async function isWorthSweeping(db: Db): Promise<boolean> {
  const row = await db.first<{ worth: boolean }>(
    sql`select pg_relation_size('casos_contagens_pendentes') > 512 * 1024 as worth`,
  )
  return row?.worth ?? false
}

/** Not inside a transaction. */
export function sweepPending(db: Db): Promise<number> {
  return db.run(sql`vacuum casos_contagens_pendentes`)
}
