import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../../db/db.ts'
import type { TokenTipo } from './texts/texts.ts'
import {
  countTokensSince,
  deleteExpiredTokens,
  deleteToken,
  deleteUnusedTokens,
  findUsableTipo,
  insertToken,
  lockOwnerOf,
  useToken,
} from './tokens.sql.ts'

export { forgetTokens } from './tokens.sql.ts'

/** One-time tokens for links in mails. Only their SHA-256 is stored: a copy of the database holds no usable token. */

const DAY_SECONDS = 86_400
/** Lifetimes. Links that undo a change live longest: a mailbox is not read every day. */
export const TOKEN_SECONDS: Record<TokenTipo, number> = {
  redefinir_senha: 3600,
  verificar_email: DAY_SECONDS,
  convite: 7 * DAY_SECONDS,
  desfazer_email: 7 * DAY_SECONDS,
  desfazer_mfa: 7 * DAY_SECONDS,
}

export interface TokenOwner {
  usuario_id: number
  /** Address it was sent to: `verificar_email` verifies it, `desfazer_email` restores it. */
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

/** Early refusal before slow work; only `redeemToken` decides. */
export async function isRedeemable(
  db: Db,
  tipos: readonly TokenTipo[],
  token: string,
  now: Date,
): Promise<boolean> {
  const tipo = await findUsableTipo(db, sha256(token), now)
  return tipo !== null && tipos.includes(tipo)
}

/** Uses a token; of two concurrent uses exactly one succeeds. */
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

/** Invalidates links already sent, after a change of password or address. */
export async function revokeTokens(tx: Db, usuario_id: number, tipo: TokenTipo): Promise<void> {
  await deleteUnusedTokens(tx, { usuario_id, tipo })
}

/** Deletes a token whose mail was certainly not sent. */
export async function discardToken(db: Db, token: string): Promise<void> {
  await deleteToken(db, sha256(token))
}

/** Number of tokens issued in the last hour; none expires sooner. */
export function countTokensOfLastHour(
  db: Db,
  owner: { usuario_id: number; tipo: TokenTipo },
  now: Date,
): Promise<number> {
  return countTokensSince(db, owner, new Date(now.getTime() - 3_600_000))
}

const sha256 = (token: string) => createHash('sha256').update(token).digest()
