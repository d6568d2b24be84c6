import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'

/** Marks of municipalities whose counters changed, for those that compute from counters in the background. */

export interface LugarMudado {
  tipo_agravo: string
  /** '--': unknown. */
  estado: string
  /** 0: unknown. */
  municipio: number
}

/** A mark as it was read; one that was renewed since is another. */
export interface MarcaDeMudanca extends LugarMudado {
  vezes: number
}

/** Part of a statement, or a statement: marks the places of a relation with the columns of the queue `detalhes`. */
export const markPlaces = (contadas: Sql): Sql => sql`
  insert into casos_lugares_mudados as m (tipo_agravo, estado, municipio)
  select distinct tipo_agravo, estado, municipio from ${contadas}
  on conflict (tipo_agravo, estado, municipio) do update set vezes = m.vezes + 1`

const COUNTED = sql`(
  select tipo_agravo, left(lugar, 2) as estado, substr(lugar, 3)::integer as municipio from casos_contagens
  where serie = 'sempre' and length(lugar) > 2) c`

/** Marks all places that have counters. */
export async function markCounted(tx: Db): Promise<void> {
  await tx.run(markPlaces(COUNTED))
}

/** Marks all places that have counters of a disease. */
export async function markCountedOf(tx: Db, tipo: string): Promise<void> {
  await tx.run(markPlaces(sql`${COUNTED} where tipo_agravo = ${tipo}`))
}

export function listCounted(db: Db): Promise<LugarMudado[]> {
  return db.rows(sql`select distinct tipo_agravo, estado, municipio from ${COUNTED}`)
}

export function listMarks(db: Db): Promise<MarcaDeMudanca[]> {
  return db.rows(sql`select tipo_agravo, estado, municipio, vezes from casos_lugares_mudados`)
}

/** Renewed marks stay. */
export async function removeMarks(tx: Db, marks: readonly MarcaDeMudanca[]): Promise<void> {
  if (marks.length === 0) return
  await tx.run(sql`
    delete from casos_lugares_mudados m
    using jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as d (tipo_agravo text, estado text, municipio integer, vezes bigint)
    where m.tipo_agravo = d.tipo_agravo and m.estado = d.estado and m.municipio = d.municipio and m.vezes = d.vezes`)
}

export async function insertBulkChange(tx: Db): Promise<void> {
  await tx.run(sql`insert into casos_mudancas_em_massa default values`)
}

/** Removes those that were seen. */
export async function takeBulkChanges(db: Db): Promise<number> {
  return db.run(sql`delete from casos_mudancas_em_massa`)
}

export interface Mudancas {
  /** Places are marked, or changes wait to be folded, which will mark some. */
  algumas: boolean
  em_massa: boolean
  /** There are counters, or there were. */
  contadas: boolean
}

export function findMudancas(db: Db): Promise<Mudancas> {
  return db.one(sql`
    select exists (select from casos_lugares_mudados) or exists (select from casos_contagens_pendentes) as algumas,
      exists (select from casos_mudancas_em_massa) as em_massa, exists (select from casos_contagens) as contadas`)
}
