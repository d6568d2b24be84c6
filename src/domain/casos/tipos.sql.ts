import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface TipoRow {
  codigo: string
  nome: string
  cid10_codes: string[]
  descricao: string
  notificacao_obrigatoria: boolean
  /** Days after the notification within which an investigation should be over. */
  prazo_encerramento_dias: number
}

export function upsertTipo(db: Db, tipo: TipoRow, ordem: number): Promise<number> {
  return db.run(sql`
    insert into tipos_agravo
      (codigo, nome, cid10_codes, descricao, notificacao_obrigatoria, prazo_encerramento_dias, ordem)
    values (${tipo.codigo}, ${tipo.nome}, ${tipo.cid10_codes}, ${tipo.descricao}, ${tipo.notificacao_obrigatoria},
      ${tipo.prazo_encerramento_dias}, ${ordem})
    on conflict (codigo) do update
    set nome = excluded.nome, cid10_codes = excluded.cid10_codes, descricao = excluded.descricao,
      notificacao_obrigatoria = excluded.notificacao_obrigatoria,
      prazo_encerramento_dias = excluded.prazo_encerramento_dias, ordem = excluded.ordem`)
}

export function listTipos(db: Db): Promise<TipoRow[]> {
  return db.rows(sql`
    select codigo, nome, cid10_codes, descricao, notificacao_obrigatoria, prazo_encerramento_dias
    from tipos_agravo order by ordem`)
}
