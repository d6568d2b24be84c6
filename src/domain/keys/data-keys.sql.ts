import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** False in a database that is not migrated yet. */
export async function raizesExist(db: Db): Promise<boolean> {
  return (await db.first(sql`select where to_regclass('chaves_de_dados') is not null`)) !== null
}

export async function findRaiz(db: Db, id: string): Promise<Buffer | null> {
  const row = await db.first<{ raiz_cifrada: Buffer }>(
    sql`select raiz_cifrada from chaves_de_dados where id = ${id}`,
  )
  return row?.raiz_cifrada ?? null
}

/** Of several instances that start at once, one keeps it. */
export function insertRaiz(db: Db, id: string, raiz_cifrada: Buffer, now: Date): Promise<number> {
  return db.run(sql`
    insert into chaves_de_dados (id, raiz_cifrada, criada_em) values (${id}, ${raiz_cifrada}, ${now})
    on conflict do nothing`)
}
