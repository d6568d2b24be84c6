import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Accounts that are bound to places, with those; without administrators, whom no place binds. */
export function listBoundAccounts(db: Db): Promise<{ id: number; territorios: string[] }[]> {
  return db.rows(sql`
    select u.id, territorios_de(u.id) as territorios from usuarios u
    where exists (select from usuarios_territorios t where t.usuario_id = u.id)
      and not exists (select from administradores a where a.id = u.id)`)
}
