import { Type } from 'typebox'
import type { UsuarioRow } from '../../domain/usuarios/usuarios.sql.ts'
import { Id, Nullable, Text } from '../../http/schemas.ts'

export const LoginA = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 254 }),
    password: Text({ minLength: 1, maxLength: 1000 }),
  },
  { title: 'LoginA', examples: [{ email: 'ana@saude.gov.br', password: 'Segredo#2026' }] },
)

/** The OAuth 2.0 password grant (RFC 6749, 4.3), form-encoded. */
export const LoginForm = Type.Object(
  {
    username: Text({ minLength: 1, maxLength: 254 }),
    password: Text({ minLength: 1, maxLength: 1000 }),
    grant_type: Type.Optional(Type.String({ maxLength: 20 })),
  },
  { title: 'LoginForm', examples: [{ username: 'ana@saude.gov.br', password: 'Segredo#2026' }] },
)

export const LoggedUser = Type.Object(
  {
    id: Id,
    nome: Type.String(),
    email: Type.String(),
    admin: Type.Boolean(),
    telefone: Nullable(Type.String()),
    estado: Nullable(Type.String()),
    cidade: Nullable(Type.String()),
    funcao: Nullable(Type.String()),
    instituicao: Nullable(Type.String()),
  },
  { title: 'LoggedUser' },
)

export function toLoggedUser(usuario: UsuarioRow) {
  const { id, nome, email, admin, telefone, estado, cidade, funcao, instituicao } = usuario
  return { id, nome, email, admin, telefone, estado, cidade, funcao, instituicao }
}
