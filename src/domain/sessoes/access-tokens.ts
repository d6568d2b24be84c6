import { errors, jwtVerify, SignJWT } from 'jose'
import { BoundedMap } from '../../system/bounded-map.ts'
import type { Clock } from '../../system/clock.ts'
import type { Keyring } from '../keys/keys.ts'

export const ACCESS_TOKEN_SECONDS = 3600

/** One algorithm, stated here and demanded when verifying: a token never chooses how it is checked. */
export const ALGORITHM = 'EdDSA'
const TYPE = 'at+jwt'
const AUDIENCE = 'vigia-api'
const MAX_TOKEN_LENGTH = 2_000
const CACHE_SIZE = 10_000
const USUARIO_ID = /^[1-9]\d{0,8}$/
const SESSAO_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface Subject {
  usuario_id: number
  sessao_id: string
}

export interface AccessTokens {
  /** The same issue (time and `jti`) gives the same token, byte for byte: Ed25519 signatures are deterministic. */
  sign(subject: Subject, issue: { jti: string; issuedAt: Date; seconds?: number }): Promise<string>
  /** Whom the token names, or null for anything that is not a valid access token of ours. */
  verify(token: string): Promise<Subject | null>
}

export function createAccessTokens(
  keyring: Keyring,
  issuer: string,
  clock: Clock,
  cacheSize = CACHE_SIZE,
): AccessTokens {
  const verified = new BoundedMap<string, { subject: Subject; expiresAt: number }>(cacheSize)

  async function check(token: string): Promise<{ subject: Subject; expiresAt: number } | null> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => publicKey(keyring, kid), {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'exp', 'iat', 'jti'],
        currentDate: clock.now(),
      })
      const subject = { usuario_id: Number(payload.sub), sessao_id: String(payload.sid) }
      if (!USUARIO_ID.test(String(payload.sub)) || !SESSAO_ID.test(subject.sessao_id)) return null
      return { subject, expiresAt: Number(payload.exp) * 1000 }
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      // The keys could not be read: that says nothing about the token.
      throw error
    }
  }

  return {
    async sign({ usuario_id, sessao_id }, { jti, issuedAt, seconds = ACCESS_TOKEN_SECONDS }) {
      await keyring.reload()
      const { kid, privateKey } = keyring.newest()
      const iat = Math.floor(issuedAt.getTime() / 1000)
      return new SignJWT({ sid: sessao_id })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(String(usuario_id))
        .setJti(jti)
        .setIssuedAt(iat)
        .setExpirationTime(iat + seconds)
        .sign(privateKey)
    },
    async verify(token) {
      if (token.length > MAX_TOKEN_LENGTH) return null
      const known = verified.get(token) ?? (await check(token))
      if (known === null || known.expiresAt <= clock.now().getTime()) return null
      verified.set(token, known)
      return known.subject
    },
  }
}

async function publicKey(keyring: Keyring, kid: string | undefined) {
  const key = kid === undefined ? null : await keyring.find(kid)
  if (key === null) throw new errors.JWKSNoMatchingKey()
  return key.publicKey
}
