import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface TentativaRow {
  provedor: string
  segredos_cifrados: Buffer
  /** Address of the console to open afterwards. */
  volta: string
  /** Of the console's cookie that the browser had at the beginning: its session ends with the sign-in. */
  cookie_anterior_hash: Buffer | null
  expira_em: Date
}

export function insertTentativa(
  db: Db,
  tentativa: TentativaRow & { estado_hash: Buffer; navegador_hash: Buffer },
): Promise<number> {
  return db.run(sql`
    insert into oidc_tentativas (estado_hash, navegador_hash, provedor, segredos_cifrados, volta, cookie_anterior_hash, expira_em)
    values (${tentativa.estado_hash}, ${tentativa.navegador_hash}, ${tentativa.provedor}, ${tentativa.segredos_cifrados},
            ${tentativa.volta}, ${tentativa.cookie_anterior_hash}, ${tentativa.expira_em})`)
}

/** Takes an attempt, whatever becomes of it; of two concurrent takers one gets it. */
export function takeTentativa(
  db: Db,
  estado_hash: Buffer,
  navegador_hash: Buffer,
): Promise<TentativaRow | null> {
  return db.first(sql`
    delete from oidc_tentativas where estado_hash = ${estado_hash} and navegador_hash = ${navegador_hash}
    returning provedor, segredos_cifrados, volta, cookie_anterior_hash, expira_em`)
}

export interface SegundoFatorRow {
  usuario_id: number
  decisao_cifrada: Buffer
  cookie_anterior_hash: Buffer | null
}

export function insertSegundoFator(
  db: Db,
  row: SegundoFatorRow & { navegador_hash: Buffer; expira_em: Date },
): Promise<number> {
  return db.run(sql`
    insert into oidc_segundos_fatores (navegador_hash, usuario_id, decisao_cifrada, cookie_anterior_hash, expira_em)
    values (${row.navegador_hash}, ${row.usuario_id}, ${row.decisao_cifrada}, ${row.cookie_anterior_hash}, ${row.expira_em})`)
}

export function findSegundoFator(db: Db, navegadorHash: Buffer, now: Date): Promise<SegundoFatorRow | null> {
  return db.first(sql`
    select usuario_id, decisao_cifrada, cookie_anterior_hash from oidc_segundos_fatores
     where navegador_hash = ${navegadorHash} and expira_em > ${now}`)
}

/** Returns 0 if it was used meanwhile. */
export function useSegundoFator(db: Db, navegadorHash: Buffer): Promise<number> {
  return db.run(sql`delete from oidc_segundos_fatores where navegador_hash = ${navegadorHash}`)
}

/** Deletes expired attempts of both kinds. */
export async function forgetTentativas(db: Db, now: Date): Promise<void> {
  await db.run(sql`delete from oidc_tentativas where expira_em < ${now}`)
  await db.run(sql`delete from oidc_segundos_fatores where expira_em < ${now}`)
}
