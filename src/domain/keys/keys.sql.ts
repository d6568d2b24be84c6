import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface ChaveRow {
  kid: string
  publica: Record<string, unknown>
  privada_cifrada: Buffer
  criada_em: Date
}

/** False in a database without our schema. */
export async function chavesTableExists(db: Db): Promise<boolean> {
  return (await db.first(sql`select where to_regclass('chaves_assinatura') is not null`)) !== null
}

export function listChaves(db: Db): Promise<ChaveRow[]> {
  return db.rows(sql`
    select kid, publica, privada_cifrada, criada_em from chaves_assinatura order by criada_em desc, kid`)
}

export function insertChave(db: Db, chave: ChaveRow): Promise<number> {
  return db.run(sql`
    insert into chaves_assinatura (kid, publica, privada_cifrada, criada_em)
    values (${chave.kid}, ${chave.publica}, ${chave.privada_cifrada}, ${chave.criada_em})`)
}

export function deleteChave(db: Db, kid: string): Promise<number> {
  return db.run(sql`delete from chaves_assinatura where kid = ${kid}`)
}

/** Serialises the creation and rotation of keys. */
export function lockChaves(db: Db): Promise<number> {
  return db.run(sql`lock table chaves_assinatura in share row exclusive mode`)
}
