import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface NewSessao {
  id: string
  usuario_id: number
  criado_em: Date
  expira_em: Date
  endereco_ip: string | null
  agente: string | null
}

export function insertSessao(db: Db, sessao: NewSessao): Promise<number> {
  return db.run(sql`
    insert into sessoes (id, usuario_id, criado_em, expira_em, endereco_ip, agente)
    values (${sessao.id}, ${sessao.usuario_id}, ${sessao.criado_em}, ${sessao.expira_em},
            ${sessao.endereco_ip}, ${sessao.agente})`)
}

export function insertRefreshToken(
  db: Db,
  token: { hash: Buffer; sessao_id: string; criado_em: Date },
): Promise<number> {
  return db.run(sql`
    insert into refresh_tokens (hash, sessao_id, criado_em)
    values (${token.hash}, ${token.sessao_id}, ${token.criado_em})`)
}

export interface CallerRow {
  id: number
  nome: string
  email: string
  admin: boolean
  permissoes: string[]
}

/** The account behind a live session with everything it may do, in one query. */
export function findCaller(
  db: Db,
  sessao: { id: string; usuario_id: number },
  now: Date,
): Promise<CallerRow | null> {
  return db.first(sql`
    select u.id, u.nome, u.email, u.admin,
           array(select p.nome from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
                  where e.usuario_id = u.id) as permissoes
      from sessoes s
      join usuarios u on u.id = s.usuario_id
     where s.id = ${sessao.id} and s.usuario_id = ${sessao.usuario_id}
       and s.encerrada_em is null and s.expira_em > ${now} and u.ativo`)
}
