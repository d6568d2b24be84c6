import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export function ping(db: Db): Promise<number> {
  return db.run(sql`select 1`)
}

export function listMigracoes(db: Db): Promise<{ nome: string }[]> {
  return db.rows(sql`select nome from migracoes`)
}
