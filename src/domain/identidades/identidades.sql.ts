import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface IdentidadeVinculada {
  id: number
  usuario_id: number
  provedor: string
  vinculada_em: Date
  ultimo_uso_em: Date
}

export function findIdentidade(
  db: Db,
  provedor: string,
  subHash: Buffer,
): Promise<IdentidadeVinculada | null> {
  return db.first(sql`
    select id, usuario_id, provedor, vinculada_em, ultimo_uso_em from identidades
     where provedor = ${provedor} and sub_hash = ${subHash}`)
}

export function listIdentidades(db: Db, usuarioId: number): Promise<IdentidadeVinculada[]> {
  return db.rows(sql`
    select id, usuario_id, provedor, vinculada_em, ultimo_uso_em from identidades
     where usuario_id = ${usuarioId} order by provedor`)
}

/** Null if the subject, or the account at this provider, is linked already. */
export async function insertIdentidade(
  db: Db,
  identidade: { usuario_id: number; provedor: string; sub_hash: Buffer },
  now: Date,
): Promise<number | null> {
  const row = await db.first<{ id: number }>(sql`
    insert into identidades (usuario_id, provedor, sub_hash, vinculada_em, ultimo_uso_em)
    values (${identidade.usuario_id}, ${identidade.provedor}, ${identidade.sub_hash}, ${now}, ${now})
    on conflict do nothing returning id`)
  return row?.id ?? null
}

export function touchIdentidade(db: Db, id: number, now: Date): Promise<number> {
  return db.run(sql`update identidades set ultimo_uso_em = ${now} where id = ${id}`)
}

export function deleteIdentidade(
  db: Db,
  { id, usuario_id }: { id: number; usuario_id: number },
): Promise<{ provedor: string } | null> {
  return db.first(sql`
    delete from identidades where id = ${id} and usuario_id = ${usuario_id} returning provedor`)
}

/** Deletes those linked since a moment. */
export function deleteIdentidadesSince(db: Db, usuarioId: number, since: Date): Promise<number> {
  return db.run(sql`delete from identidades where usuario_id = ${usuarioId} and vinculada_em >= ${since}`)
}
