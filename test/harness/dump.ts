import type { Db } from '../../src/db/db.ts'
import { sql } from '../../src/db/sql.ts'

/**
 * Every table as text, by its name without `public.`: as XML, which writes bytes in base64, or, since XML has no infinite dates, rows as
 * PostgreSQL prints them where a table has no bytes.
 */
export async function dumpTables(db: Db): Promise<Map<string, string>> {
  const tables = await db.rows<{ nome: string; has_bytes: boolean }>(sql`
    select format('%I.%I', relnamespace::regnamespace, relname) as nome,
      exists (select from pg_attribute where attrelid = c.oid and atttypid = 'bytea'::regtype) as has_bytes
    from pg_class c
    where relkind in ('r', 'm') and relnamespace in ('public'::regnamespace, 'preparo'::regnamespace)`)
  const dumps = new Map<string, string>()
  for (const { nome, has_bytes } of tables) {
    const rows = `select ${has_bytes ? '*' : 't::text as linha'} from ${nome} t`
    const texto = await db.value<string>(
      sql`select coalesce(query_to_xml(${rows}::text, false, true, '')::text, '')`,
    )
    dumps.set(nome.replace(/^public\./, ''), texto)
  }
  return dumps
}
