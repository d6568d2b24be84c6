import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/**
 * Drops images that ended before a moment, but the last one of a block that is gone: revisions go on from it, and a series that had
 * values keeps what they mean. Writers of series wait.
 */
export async function dropImagens(tx: Db, antes: Date): Promise<number> {
  await tx.run(sql`select from series order by id for update`)
  const dropped = await tx.run(sql`
    delete from series_blocos_historico h where h.ate < ${antes}
      and (exists (select from series_blocos b where b.serie_id = h.serie_id and b.lugar = h.lugar and b.ano = h.ano)
        or exists (select from series_blocos_historico later where later.serie_id = h.serie_id and later.lugar = h.lugar
          and later.ano = h.ano and later.revisao > h.revisao))`)
  await tx.run(
    sql`update series set compactada_ate = ${antes} where compactada_ate is null or compactada_ate < ${antes}`,
  )
  return dropped
}

/** Moment before which images are gone; null: none is. */
export function findCompactacao(db: Db): Promise<Date | null> {
  return db.value(sql`select max(compactada_ate) from series`)
}
