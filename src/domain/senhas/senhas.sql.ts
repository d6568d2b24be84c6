import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Locks the account if it still has this password hash. */
export async function lockSenha(
  db: Db,
  { id, senha_hash }: { id: number; senha_hash: string },
): Promise<boolean> {
  const row = await db.first(sql`
    select from usuarios where id = ${id} and senha_hash = ${senha_hash} for no key update`)
  return row !== null
}

/** Finds and locks the active administrator with this email. */
export function lockAdministrador(
  db: Db,
  canonicalEmail: string,
): Promise<{ id: number; email: string } | null> {
  return db.first(sql`
    select id, email from usuarios where lower(email) = ${canonicalEmail} and admin and ativo for no key update`)
}

export function updateSenha(
  db: Db,
  id: number,
  senha: { senha_hash: string; senha_forca: number; trocar_senha: boolean },
  now: Date,
): Promise<number> {
  return db.run(sql`
    update usuarios set senha_hash = ${senha.senha_hash}, senha_forca = ${senha.senha_forca},
                        trocar_senha = ${senha.trocar_senha}, senha_alterada_em = ${now}
     where id = ${id}`)
}
