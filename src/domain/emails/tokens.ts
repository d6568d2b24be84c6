import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import type { TokenTipo } from './texts/texts.ts'
import {
  countTokensSince,
  deleteExpiredTokens,
  deleteToken,
  deleteUnusedTokens,
  insertToken,
  lockOwnerOf,
  usableTokenExists,
  useToken,
} from './tokens.sql.ts'

/** One-time tokens for the links in mails. Only their SHA-256 is stored: who reads the database can use none. */

const DAY_SECONDS = 86_400
/** Undoing takes longer than what it undoes: a mailbox is not looked into every day. */
export const TOKEN_SECONDS: Record<TokenTipo, number> = {
  redefinir_senha: 3600,
  verificar_email: DAY_SECONDS,
  desfazer_email: 7 * DAY_SECONDS,
  desfazer_mfa: 7 * DAY_SECONDS,
}

export interface TokenOwner {
  usuario_id: number
  /** Where it was sent: for `verificar_email` the address that using it proves, for `desfazer_email` the one it sets back. */
  email: string
}

export async function issueToken(
  db: Db,
  { tipo, usuario_id, email }: TokenOwner & { tipo: TokenTipo },
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expira_em = new Date(now.getTime() + TOKEN_SECONDS[tipo] * 1000)
  await deleteExpiredTokens(db, { usuario_id, tipo }, now)
  await insertToken(db, { hash: sha256(token), tipo, usuario_id, email, criado_em: now, expira_em })
  return token
}

/** For refusing early, before slow work; only `redeemToken` decides. */
export function isRedeemable(db: Db, tipo: TokenTipo, token: string, now: Date): Promise<boolean> {
  return usableTokenExists(db, { hash: sha256(token), tipo }, now)
}

/** Of two simultaneous uses exactly one wins. */
export async function redeemToken(
  tx: Db,
  tipo: TokenTipo,
  token: string,
  now: Date,
): Promise<TokenOwner | null> {
  const hash = sha256(token)
  await lockOwnerOf(tx, hash)
  return useToken(tx, { hash, tipo }, now)
}

/** Links already sent stop working: the password was changed, or another address is to be verified. */
export async function revokeTokens(tx: Db, usuario_id: number, tipo: TokenTipo): Promise<void> {
  await deleteUnusedTokens(tx, { usuario_id, tipo })
}

/** A token whose mail surely did not go out. */
export async function discardToken(db: Db, token: string): Promise<void> {
  await deleteToken(db, sha256(token))
}

/** How many mails with such a token went out in the last hour (no kind expires sooner). */
export function countTokensOfLastHour(
  db: Db,
  owner: { usuario_id: number; tipo: TokenTipo },
  now: Date,
): Promise<number> {
  return countTokensSince(db, owner, new Date(now.getTime() - 3_600_000))
}

const sha256 = (token: string) => createHash('sha256').update(token).digest()
