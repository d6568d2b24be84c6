import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface MfaRow {
  mfa_segredo_cifrado: Buffer | null
  mfa_ativado_em: Date | null
}

export function findMfa(db: Db, usuarioId: number): Promise<MfaRow | null> {
  return db.first(sql`select mfa_segredo_cifrado, mfa_ativado_em from usuarios where id = ${usuarioId}`)
}

/** Accepts a time step once and no earlier one: a code cannot be replayed. */
export function useStep(db: Db, usuarioId: number, step: number): Promise<number> {
  return db.run(sql`
    update usuarios set mfa_ultimo_passo = ${step} where id = ${usuarioId} and mfa_ultimo_passo < ${step}`)
}

export function useCodigoBackup(db: Db, usuarioId: number, hash: Buffer, now: Date): Promise<number> {
  return db.run(sql`
    update codigos_backup set usado_em = ${now}
     where usuario_id = ${usuarioId} and hash = ${hash} and usado_em is null`)
}
