import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { readDoubles } from './doubles.ts'
import type { Serie } from './serie.ts'

/** A series with blocks whose weeks are of another revision, or none; its row is locked. Null: none that nobody is writing. */
export function lockSerieSemSemanas(tx: Db): Promise<Pick<Serie, 'id' | 'periodo' | 'agrega_tempo'> | null> {
  return tx.first(sql`
    select id, periodo, agrega_tempo from series s
    where exists (select from series_blocos b where b.serie_id = s.id and b.semanas_revisao is distinct from b.revisao)
    order by id limit 1 for update skip locked`)
}

export interface BlocoSemSemanas {
  lugar: string
  ano: number
  valores: Float64Array
}

export async function listSemSemanas(tx: Db, serieId: number, size: number): Promise<BlocoSemSemanas[]> {
  const rows = await tx.rows<Omit<BlocoSemSemanas, 'valores'> & { valores: string }>(sql`
    select lugar, ano, encode(array_send(valores), 'base64') as valores from series_blocos
    where serie_id = ${serieId} and semanas_revisao is distinct from revisao limit ${size}`)
  return rows.map(({ valores, ...row }) => ({ ...row, valores: readDoubles(valores) }))
}

/** Weeks in base64, or null for a series without. */
export function saveSemanas(
  tx: Db,
  serieId: number,
  blocos: readonly { lugar: string; ano: number; semanas: string | null }[],
): Promise<number> {
  return tx.run(sql`
    update series_blocos b set semanas = decode(k.semanas, 'base64'), semanas_revisao = b.revisao
    from unnest(${blocos.map(({ lugar }) => lugar)}::text[], ${blocos.map(({ ano }) => ano)}::smallint[],
      ${blocos.map(({ semanas }) => semanas)}::text[]) as k (lugar, ano, semanas)
    where b.serie_id = ${serieId} and b.lugar = k.lugar and b.ano = k.ano`)
}
