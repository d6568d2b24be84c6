import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface RecusaRow {
  minuto: Date
  acao: string
  origem: string
  total: number
  endereco_ip: string | null
  request_id: string
}

export function countRecusaRow(db: Db, row: Omit<RecusaRow, 'total'>): Promise<number> {
  return db.run(sql`
    insert into recusas as r (minuto, acao, origem, endereco_ip, request_id)
    values (${row.minuto}, ${row.acao}, ${row.origem}, ${row.endereco_ip}, ${row.request_id})
    on conflict (minuto, acao, origem) do update set total = r.total + 1`)
}

/** Deletes and returns counters of minutes that began before, oldest first; skips those claimed by another instance. */
export function takeRecusas(db: Db, before: Date, atMost: number): Promise<RecusaRow[]> {
  return db.rows(sql`
    with due as (
      select minuto, acao, origem from recusas where minuto < ${before}
       order by minuto, acao, origem limit ${atMost} for update skip locked
    ), taken as (
      delete from recusas r using due d where (r.minuto, r.acao, r.origem) = (d.minuto, d.acao, d.origem)
      returning r.minuto, r.acao, r.origem, r.total, r.endereco_ip, r.request_id
    )
    select minuto, acao, origem, total, endereco_ip, request_id from taken order by minuto, acao, origem`)
}
