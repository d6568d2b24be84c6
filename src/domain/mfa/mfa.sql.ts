import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Stores a pending secret and resets its used time step; never overwrites an active one. */
export function setPendingSecret(db: Db, usuarioId: number, cifrado: Buffer): Promise<number> {
  return db.run(sql`
    update usuarios set mfa_segredo_cifrado = ${cifrado}, mfa_ultimo_passo = 0
     where id = ${usuarioId} and mfa_ativado_em is null`)
}

export async function replaceCodigosBackup(db: Db, usuarioId: number, hashes: Buffer[]): Promise<void> {
  await db.run(sql`delete from codigos_backup where usuario_id = ${usuarioId}`)
  await db.run(sql`
    insert into codigos_backup (usuario_id, hash) select ${usuarioId}, unnest(${hashes}::bytea[])`)
}

/** Activates only the secret that the code was checked against. */
export function activateMfa(db: Db, usuarioId: number, cifrado: Buffer, now: Date): Promise<number> {
  return db.run(sql`
    update usuarios set mfa_ativado_em = ${now}
     where id = ${usuarioId} and mfa_ativado_em is null and mfa_segredo_cifrado = ${cifrado}`)
}

/** Locks the account if its second factor is on. */
export async function lockActiveMfa(db: Db, usuarioId: number): Promise<boolean> {
  const row = await db.first(sql`
    select from usuarios where id = ${usuarioId} and mfa_ativado_em is not null for no key update`)
  return row !== null
}

/** Removes a second factor activated since then, with its backup codes. */
export function removeMfa(db: Db, usuarioId: number, since: Date): Promise<number> {
  return db.run(sql`
    with desativado as (
           update usuarios set mfa_segredo_cifrado = null, mfa_ativado_em = null
            where id = ${usuarioId} and mfa_ativado_em >= ${since}
           returning id),
         codigos as (delete from codigos_backup where usuario_id in (select id from desativado))
    select from desativado`)
}
