import type { Plano } from '../../caller/planos.ts'
import type { Db } from '../../db/db.ts'
import { prepared, sql } from '../../db/sql.ts'

export interface Taking {
  chave: string
  /** Number of requests. */
  wanted: number
  perMinute: number
  perHour: number
}

export interface LimiteRow {
  chave: string
  concedido: number
  minuto_fim: Date
  minuto_gasto: number
  hora_fim: Date
  hora_gasto: number
}

/**
 * Takes from both windows of each key at once, as much as both still have. Rows are locked in the order of their keys, so
 * that instances cannot deadlock. Committed asynchronously: a crash of the database may forget the last half second.
 */
export function takeFromLimites(db: Db, takings: Taking[], now: Date): Promise<LimiteRow[]> {
  const all = <K extends keyof Taking>(field: K) => takings.map((taking) => taking[field])
  return db.rows(
    prepared(sql`
    with t as materialized (
      select t.*, ${now}::timestamptz as now, set_config('synchronous_commit', 'off', true)
        from unnest(${all('chave')}::text[], ${all('wanted')}::bigint[], ${all('perMinute')}::bigint[],
                    ${all('perHour')}::bigint[])
          as t (chave, wanted, per_minute, per_hour)
    )
    insert into limites as l (chave, minuto_fim, minuto_gasto, hora_fim, hora_gasto, concedido)
    select chave, now + interval '1 minute', n, now + interval '1 hour', n, n
      from t, lateral (select least(wanted, per_minute, per_hour) as n) as taken
     order by chave
        on conflict (chave) do update set (minuto_fim, minuto_gasto, hora_fim, hora_gasto, concedido) = (
          select m.fim, m.gasto + n, h.fim, h.gasto + n, n
            from t,
         lateral (select case when l.minuto_fim > now then l.minuto_fim else now + interval '1 minute' end as fim,
                         case when l.minuto_fim > now then l.minuto_gasto else 0 end as gasto) as m,
         lateral (select case when l.hora_fim > now then l.hora_fim else now + interval '1 hour' end as fim,
                         case when l.hora_fim > now then l.hora_gasto else 0 end as gasto) as h,
         lateral (select greatest(0, least(wanted, per_minute - m.gasto, per_hour - h.gasto)) as n) as taken
           where t.chave = l.chave)
    returning chave, concedido, minuto_fim, minuto_gasto, hora_fim, hora_gasto`),
  )
}

export interface LimiteUsado {
  usuario_id: number
  nome: string
  plano: Plano
  /** Counted apart from the account's programs. */
  is_console: boolean
  minuto: number
  hora: number
}

/** Accounts with the most requests in the present hour. */
export function mostUsedLimites(db: Db, now: Date, atMost: number): Promise<LimiteUsado[]> {
  return db.rows(sql`
    with used as materialized (
      select l.chave, case when l.minuto_fim > ${now} then l.minuto_gasto else 0 end as minuto, l.hora_gasto as hora
      from limites l where l.chave ~ '^(usuario|console):[0-9]+$' and l.hora_fim > ${now}
      order by l.hora_gasto desc, l.chave limit ${atMost}
    )
    select u.id as usuario_id, u.nome, u.plano, used.chave like 'console:%' as is_console,
      used.minuto::integer as minuto, used.hora::integer as hora
    from used join usuarios u on u.id = split_part(used.chave, ':', 2)::integer
    order by used.hora desc, used.chave`)
}

export function forgetLimites(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from limites where minuto_fim < ${before} and hora_fim < ${before}`)
}
