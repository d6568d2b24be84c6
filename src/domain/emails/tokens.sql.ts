import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import type { TokenTipo } from './texts/texts.ts'

export interface TokenRow {
  hash: Buffer
  tipo: TokenTipo
  usuario_id: number
  email: string
  criado_em: Date
  expira_em: Date
}

export function insertToken(db: Db, token: TokenRow): Promise<number> {
  return db.run(sql`
    insert into tokens_de_email (hash, tipo, usuario_id, email, criado_em, expira_em)
    values (${token.hash}, ${token.tipo}, ${token.usuario_id}, ${token.email}, ${token.criado_em}, ${token.expira_em})`)
}

/** Kind of a token that can be used; null for an unknown, used or expired one. */
export async function findUsableTipo(db: Db, hash: Buffer, now: Date): Promise<TokenTipo | null> {
  const row = await db.first<Pick<TokenRow, 'tipo'>>(sql`
    select tipo from tokens_de_email where hash = ${hash} and usado_em is null and expira_em > ${now}`)
  return row?.tipo ?? null
}

/** Locks the account before its tokens, in the order of every other change: otherwise two concurrent links could deadlock. */
export function lockOwnerOf(db: Db, hash: Buffer): Promise<number> {
  return db.run(sql`
    select from usuarios where id = (select usuario_id from tokens_de_email where hash = ${hash}) for no key update`)
}

/** Zero rows is the refusal: unknown, used or expired. */
export function useToken(
  db: Db,
  { hash, tipo }: Pick<TokenRow, 'hash' | 'tipo'>,
  now: Date,
): Promise<Pick<TokenRow, 'usuario_id' | 'email'> | null> {
  return db.first(sql`
    update tokens_de_email set usado_em = ${now}
     where hash = ${hash} and tipo = ${tipo} and usado_em is null and expira_em > ${now}
    returning usuario_id, email`)
}

export function countTokensSince(
  db: Db,
  { usuario_id, tipo }: Pick<TokenRow, 'usuario_id' | 'tipo'>,
  since: Date,
): Promise<number> {
  return db.value(sql`
    select count(*) from tokens_de_email
     where usuario_id = ${usuario_id} and tipo = ${tipo} and criado_em > ${since}`)
}

export function deleteToken(db: Db, hash: Buffer): Promise<number> {
  return db.run(sql`delete from tokens_de_email where hash = ${hash}`)
}

export function deleteUnusedTokens(
  db: Db,
  { usuario_id, tipo }: Pick<TokenRow, 'usuario_id' | 'tipo'>,
): Promise<number> {
  return db.run(sql`
    delete from tokens_de_email where usuario_id = ${usuario_id} and tipo = ${tipo} and usado_em is null`)
}

export function deleteExpiredTokens(
  db: Db,
  { usuario_id, tipo }: Pick<TokenRow, 'usuario_id' | 'tipo'>,
  now: Date,
): Promise<number> {
  return db.run(sql`
    delete from tokens_de_email where usuario_id = ${usuario_id} and tipo = ${tipo} and expira_em <= ${now}`)
}

export function forgetTokens(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from tokens_de_email where expira_em < ${before}`)
}
