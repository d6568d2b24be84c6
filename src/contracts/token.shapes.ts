import type { FastifyRequest } from 'fastify'
import type { LoginInput } from '../domain/sessoes/login.ts'
import type { TokenPair } from '../domain/sessoes/tokens.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import { navegadorOf } from '../http/origin.ts'
import { Id, Text } from '../http/schemas.ts'
import { Type } from '../http/type.ts'

/** Spec 2.8, the same on every login and refresh route of both descriptions. */
export const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String(),
    token_type: Type.String({ examples: ['bearer'] }),
    expires_in: Type.Integer({ examples: [3600] }),
    user: Type.Object({ id: Id, nome: Type.String(), email: Type.String() }),
  },
  { title: 'TokenResponse' },
)

export function toTokenResponse({ access_token, refresh_token, expires_in, user }: TokenPair) {
  return { access_token, refresh_token, token_type: 'bearer', expires_in, user }
}

export const MfaCode = Text({
  minLength: 1,
  maxLength: 32,
  description: 'Código do aplicativo ou código de reserva',
})
export const RefreshToken = Text({ minLength: 1, maxLength: 512 })
/** Bounded in length only: the rules for new passwords do not apply to existing ones. */
export const AnyPassword = Text({ minLength: 1, maxLength: 1000 })

export const LOGIN_ERRORS: ErrorCode[] = [
  'INVALID_CREDENTIALS',
  'ACCOUNT_INACTIVE',
  'ACCOUNT_LOCKED',
  'MFA_REQUIRED',
]

/** Common input of the login routes, which name their fields differently. */
export function toLoginInput(
  request: FastifyRequest,
  fields: { email: string; senha: string; mfa_code?: string | undefined; remember_me?: boolean | undefined },
): LoginInput {
  return {
    email: fields.email.trim(),
    senha: fields.senha,
    mfa_code: fields.mfa_code ?? null,
    lembrar: fields.remember_me ?? false,
    idioma: navegadorOf(request).idioma,
  }
}
