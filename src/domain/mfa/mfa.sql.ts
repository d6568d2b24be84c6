import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface MfaRow {
  mfa_segredo_cifrado: Buffer | null
  mfa_ativado_em: Date | null
}

export function findMfa(db: Db, usuarioId: number): Promise<MfaRow | null> {
  return db.first(sql`select mfa_segredo_cifrado, mfa_ativado_em from usuarios where id = ${usuarioId}`)
}

/** A new secret waits for its first code, none of which was used; an active second factor is never overwritten. */
export function setPendingSegredo(db: Db, usuarioId: number, cifrado: Buffer): Promise<number> {
  return db.run(sql`
    update usuarios set mfa_segredo_cifrado = ${cifrado}, mfa_ultimo_passo = 0
     where id = ${usuarioId} and mfa_ativado_em is null`)
}

export async function replaceCodigosBackup(db: Db, usuarioId: number, hashes: Buffer[]): Promise<void> {
  await db.run(sql`delete from codigos_backup where usuario_id = ${usuarioId}`)
  await db.run(sql`
    insert into codigos_backup (usuario_id, hash) select ${usuarioId}, unnest(${hashes}::bytea[])`)
}

/** Only with the secret that the code was checked against. */
export function activateMfa(db: Db, usuarioId: number, cifrado: Buffer, now: Date): Promise<number> {
  return db.run(sql`
    update usuarios set mfa_ativado_em = ${now}
     where id = ${usuarioId} and mfa_ativado_em is null and mfa_segredo_cifrado = ${cifrado}`)
}

/** Only one that was switched on since. */
export function removeMfa(db: Db, usuarioId: number, since: Date): Promise<number> {
  return db.run(sql`
    with desativado as (
           update usuarios set mfa_segredo_cifrado = null, mfa_ativado_em = null
            where id = ${usuarioId} and mfa_ativado_em >= ${since}
           returning id),
         codigos as (delete from codigos_backup where usuario_id in (select id from desativado))
    select from desativado`)
}

/** A code of a time step is accepted once, and never one of an earlier step. */
export function useStep(db: Db, usuarioId: number, passo: number): Promise<number> {
  return db.run(sql`
    update usuarios set mfa_ultimo_passo = ${passo} where id = ${usuarioId} and mfa_ultimo_passo < ${passo}`)
}

export function useCodigoBackup(db: Db, usuarioId: number, hash: Buffer, now: Date): Promise<number> {
  return db.run(sql`
    update codigos_backup set usado_em = ${now}
     where usuario_id = ${usuarioId} and hash = ${hash} and usado_em is null`)
}
