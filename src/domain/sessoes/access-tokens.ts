import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { SigningKey } from '../chaves/chaves.ts'

export const ACCESS_TOKEN_SECONDS = 3600

/** One algorithm, stated here and demanded when verifying: a token never chooses how it is checked. */
const ALGORITHM = 'EdDSA'
const TYPE = 'at+jwt'
const AUDIENCE = 'vigia-api'

export interface AccessTokens {
  sign(subject: { usuario_id: number; sessao_id: string }): Promise<string>
  /** Whom the token names, or null for anything that is not a valid access token of ours. */
  verify(token: string): Promise<{ usuario_id: number; sessao_id: string } | null>
}

export function createAccessTokens(keys: SigningKey[], issuer: string, clock: { now(): Date }): AccessTokens {
  const [newest] = keys
  if (newest === undefined) throw new Error('at least one signing key is needed')
  const byKid = new Map(keys.map((key) => [key.kid, key]))

  return {
    async sign({ usuario_id, sessao_id }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT({ sid: sessao_id })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: newest.kid })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(String(usuario_id))
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
        .sign(newest.privateKey)
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => keyFor(byKid, kid), {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'sid', 'exp', 'iat', 'jti'],
          currentDate: clock.now(),
        })
        return { usuario_id: Number(payload.sub), sessao_id: String(payload.sid) }
      } catch {
        return null
      }
    },
  }
}

function keyFor(keys: Map<string, SigningKey>, kid: string | undefined) {
  const key = keys.get(kid ?? '')
  if (key === undefined) throw new Error('unknown key')
  return key.publicKey
}
