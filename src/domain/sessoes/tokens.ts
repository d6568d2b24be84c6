import { createHash, randomBytes } from 'node:crypto'
import type { App } from '../app.ts'
import type { KeyedHash } from '../cipher.ts'
import { ACCESS_TOKEN_SECONDS } from './access-tokens.ts'

/** Answer of every login and refresh: spec 2.8. */
export interface TokenPair {
  access_token: string
  refresh_token: string
  expires_in: number
  user: { id: number; nome: string; email: string }
}

const DAY_MS = 86_400_000
const REFRESH_DAYS = 7
const REMEMBERED_REFRESH_DAYS = 30
export const LONGEST_SESSION_MS = 90 * DAY_MS

/** Sliding expiry, at most 90 days after the login. */
export function expiryOf(now: Date, { criado_em, lembrar }: { criado_em: Date; lembrar: boolean }): Date {
  const unused = now.getTime() + (lembrar ? REMEMBERED_REFRESH_DAYS : REFRESH_DAYS) * DAY_MS
  return new Date(Math.min(unused, criado_em.getTime() + LONGEST_SESSION_MS))
}

export const newRefreshToken = () => randomBytes(32).toString('base64url')

export const sha256 = (text: string) => createHash('sha256').update(text).digest()

/**
 * Derives the next refresh token by a keyed hash: a repeated refresh within the grace period returns the same token without
 * storing it. Not predictable without the key.
 */
export const successorOf = (derive: KeyedHash, token: string) =>
  derive('successor', token).toString('base64url')

export async function tokenPair(
  { accessTokens }: Pick<App, 'accessTokens'>,
  sessao: { id: string; expira_em: Date },
  user: TokenPair['user'],
  refresh_token: string,
  issuedAt: Date,
): Promise<TokenPair> {
  const jti = sha256(`jti ${refresh_token}`).toString('base64url')
  const left = Math.floor((sessao.expira_em.getTime() - issuedAt.getTime()) / 1000)
  const expires_in = Math.min(ACCESS_TOKEN_SECONDS, left)
  const subject = { usuario_id: user.id, sessao_id: sessao.id }
  const access_token = await accessTokens.sign(subject, { jti, issuedAt, seconds: expires_in })
  return { access_token, refresh_token, expires_in, user }
}
