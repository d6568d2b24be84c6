import type { Database, Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { readDoubles } from './doubles.ts'
import { textOfSemanas } from './semanas.ts'
import type { Serie } from './serie.ts'

const BATCH = 500

type Medida = Pick<Serie, 'id' | 'periodo' | 'agrega_tempo'>

/**
 * Makes the weeks of blocks that were written without them: before there were any, or by an earlier release beside this one. Readers
 * take the days meanwhile. Some blocks a transaction, which holds the row of their series as every writer does; a series that is being
 * written is left for the next time.
 */
export async function fillSemanas(db: Database): Promise<void> {
  while ((await db.transaction(fillSome)) > 0);
}

async function fillSome(tx: Db): Promise<number> {
  const serie = await tx.first<Medida>(sql`
    select id, periodo, agrega_tempo from series s
    where exists (select from series_blocos b where b.serie_id = s.id and b.semanas_revisao is distinct from b.revisao)
    order by id limit 1 for update skip locked`)
  if (serie === null) return 0
  const rows = await tx.rows<{ lugar: string; ano: number; valores: string }>(sql`
    select lugar, ano, encode(array_send(valores), 'base64') as valores from series_blocos
    where serie_id = ${serie.id} and semanas_revisao is distinct from revisao limit ${BATCH}`)
  const semanas = rows.map(({ ano, valores }) => textOfSemanas(serie, ano, readDoubles(valores)))
  return tx.run(sql`
    update series_blocos b set semanas = decode(k.semanas, 'base64'), semanas_revisao = b.revisao
    from unnest(${rows.map(({ lugar }) => lugar)}::text[], ${rows.map(({ ano }) => ano)}::smallint[], ${semanas}::text[])
      as k (lugar, ano, semanas)
    where b.serie_id = ${serie.id} and b.lugar = k.lugar and b.ano = k.ano`)
}
