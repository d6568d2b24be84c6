import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface VerificacaoRow {
  integra: boolean
  /** Of the newest record that was verified; null: there was none, or the chain is broken. */
  ate: string | null
  verificada_em: Date
}

/** Walks ended jobs from the newest on; they are deleted after a while, which bounds the walk where nobody verifies. */
export function findVerificacao(db: Db): Promise<VerificacaoRow | null> {
  return db.first(sql`
    select (resultado ->> 'integra')::boolean as integra, resultado ->> 'ate' as ate, completed_at as verificada_em
      from jobs where tipo = 'verificacao_auditoria' and status = 'completed' and completed_at is not null
     order by completed_at desc limit 1`)
}
