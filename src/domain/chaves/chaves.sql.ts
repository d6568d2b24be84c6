import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface ChaveRow {
  kid: string
  publica: Record<string, unknown>
  privada_cifrada: Buffer
}

export function listChaves(db: Db): Promise<ChaveRow[]> {
  return db.rows(
    sql`select kid, publica, privada_cifrada from chaves_assinatura order by criada_em desc, kid`,
  )
}

export function insertChave(db: Db, chave: ChaveRow): Promise<number> {
  return db.run(sql`
    insert into chaves_assinatura (kid, publica, privada_cifrada)
    values (${chave.kid}, ${chave.publica}, ${chave.privada_cifrada})`)
}

/** One instance at a time decides whether the first key must be made. */
export function lockChaves(db: Db): Promise<number> {
  return db.run(sql`lock table chaves_assinatura in share row exclusive mode`)
}
