import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface FotoRow {
  conteudo: Buffer
  versao: string
}

export function upsertFoto(
  db: Db,
  usuarioId: number,
  foto: { grande: Buffer; pequena: Buffer; versao: string },
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into fotos_de_perfil (usuario_id, grande, pequena, versao, atualizada_em)
    values (${usuarioId}, ${foto.grande}, ${foto.pequena}, ${foto.versao}, ${now})
    on conflict (usuario_id) do update set grande = excluded.grande, pequena = excluded.pequena,
      versao = excluded.versao, atualizada_em = excluded.atualizada_em`)
}

export function findFoto(db: Db, usuarioId: number, pequena: boolean): Promise<FotoRow | null> {
  return db.first(sql`
    select case when ${pequena}::boolean then pequena else grande end as conteudo, versao
      from fotos_de_perfil where usuario_id = ${usuarioId}`)
}
