import { lugaresFrom } from '../../src/caller/territorio.ts'
import { sql } from '../../src/db/sql.ts'
import type { Person, TestApp } from './app.ts'

/** Binds an account to these places and no others: `uf:PE`, `municipio:2611606`; to none at all, it is free. */
export async function bind<P extends Person>(
  { database }: TestApp,
  person: P,
  ...lugares: string[]
): Promise<P> {
  const places = JSON.stringify(lugaresFrom(lugares))
  await database.pool.transaction(async (tx) => {
    await tx.run(sql`delete from usuarios_territorios where usuario_id = ${person.id}`)
    await tx.run(sql`
      insert into usuarios_territorios (usuario_id, nivel, codigo)
      select ${person.id}::integer, nivel, codigo
      from jsonb_to_recordset(${places}::jsonb) as l (nivel text, codigo text)`)
  })
  return person
}

export const RECIFE = 'municipio:2611606'
export const SALVADOR = 'municipio:2927408'
