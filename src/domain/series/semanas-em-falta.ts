import type { Database, Db } from '../../db/db.ts'
import { listSemSemanas, lockSerieSemSemanas, saveSemanas } from './semanas.sql.ts'
import { textOfSemanas } from './semanas.ts'

const BATCH = 500

/**
 * Makes the weeks of blocks that were written without them: before there were any, or by an earlier release beside this one. Readers
 * take the days meanwhile. Some blocks a transaction, which holds the row of their series as every writer does; a series that is being
 * written is left for the next time.
 */
export async function fillSemanas(db: Database): Promise<void> {
  while ((await db.transaction(fillSome)) > 0);
}

async function fillSome(tx: Db): Promise<number> {
  const serie = await lockSerieSemSemanas(tx)
  if (serie === null) return 0
  const blocos = await listSemSemanas(tx, serie.id, BATCH)
  return saveSemanas(
    tx,
    serie.id,
    blocos.map(({ lugar, ano, valores }) => ({ lugar, ano, semanas: textOfSemanas(serie, ano, valores) })),
  )
}
