import { Type } from 'typebox'
import type { LoginResult } from '../domain/sessoes/login.ts'
import { Id } from '../http/schemas.ts'

/** Spec 2.8, the same on every login route of both descriptions. */
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

export function toTokenResponse({ access_token, refresh_token, expires_in, user }: LoginResult) {
  return { access_token, refresh_token, token_type: 'bearer', expires_in, user }
}
