import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export function insertRefreshToken(
  db: Db,
  token: { hash: Buffer; sessao_id: string; criado_em: Date },
): Promise<number> {
  return db.run(sql`
    insert into refresh_tokens (hash, sessao_id, criado_em)
    values (${token.hash}, ${token.sessao_id}, ${token.criado_em})`)
}

/** Serialises refreshes of one session. */
export function lockSessaoOf(db: Db, hash: Buffer): Promise<number> {
  return db.run(sql`
    select from sessoes where id = (select sessao_id from refresh_tokens where hash = ${hash}) for update`)
}

export interface RefreshRow {
  sessao_id: string
  criado_em: Date
  lembrar: boolean
  alive: boolean
  rotacionado_em: Date | null
  successor_used: boolean
  usuario_id: number
  nome: string
  email: string
}

export function findRefreshToken(
  db: Db,
  hash: Buffer,
  sucessor: Buffer,
  now: Date,
): Promise<RefreshRow | null> {
  return db.first(sql`
    select s.id as sessao_id, s.criado_em, s.lembrar, r.rotacionado_em,
           s.encerrada_em is null and s.expira_em > ${now} and u.ativo as alive,
           exists (select from refresh_tokens n where n.hash = ${sucessor} and n.rotacionado_em is not null) as successor_used,
           u.id as usuario_id, u.nome, u.email
      from refresh_tokens r
      join sessoes s on s.id = r.sessao_id
      join usuarios u on u.id = s.usuario_id
     where r.hash = ${hash}`)
}

export function rotateRefreshToken(
  db: Db,
  token: { hash: Buffer; sucessor: Buffer; sessao_id: string; expira_em: Date },
  now: Date,
): Promise<number> {
  return db.run(sql`
    with antigo as (update refresh_tokens set rotacionado_em = ${now} where hash = ${token.hash}),
         sessao as (update sessoes set ultima_atividade = ${now}, expira_em = ${token.expira_em} where id = ${token.sessao_id})
    insert into refresh_tokens (hash, sessao_id, criado_em) values (${token.sucessor}, ${token.sessao_id}, ${now})`)
}

/** Session of a refresh token, of any account. */
export function findSessaoOfToken(db: Db, hash: Buffer): Promise<{ id: string; usuario_id: number } | null> {
  return db.first(sql`
    select s.id, s.usuario_id from refresh_tokens r join sessoes s on s.id = r.sessao_id where r.hash = ${hash}`)
}
