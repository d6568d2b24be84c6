import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

/** Adds the given ones to those that are stored; returns all. */
export function mergePreferencias(
  db: Db,
  usuarioId: number,
  change: object,
  now: Date,
): Promise<Record<string, unknown>> {
  return db.value(sql`
    insert into preferencias as p (usuario_id, preferencias, atualizado_em)
    values (${usuarioId}, ${JSON.stringify(change)}::jsonb, ${now})
    on conflict (usuario_id) do update
      set preferencias = p.preferencias || excluded.preferencias, atualizado_em = excluded.atualizado_em
    returning preferencias`)
}

export async function findPreferencias(db: Db, usuarioId: number): Promise<Record<string, unknown>> {
  const row = await db.first<{ preferencias: Record<string, unknown> }>(sql`
    select preferencias from preferencias where usuario_id = ${usuarioId}`)
  return row?.preferencias ?? {}
}
