import { Type } from 'typebox'
import type { PermissaoRow } from '../../domain/permissoes/permissoes.sql.ts'
import type { SignupInput } from '../../domain/usuarios/signup.ts'
import type { UsuarioRow } from '../../domain/usuarios/usuarios.sql.ts'
import { Id, Ids, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { UFS } from '../../uf.ts'
import { PermissaoItem, toPermissaoItem } from '../permissao.shapes.ts'
import { AnyPassword, MfaCode } from '../token.shapes.ts'

const Email = Type.String({ format: 'email', maxLength: 254 })

export const LoginA = Type.Object(
  { email: Email, password: AnyPassword, mfa_code: Type.Optional(MfaCode) },
  { title: 'LoginA', examples: [{ email: 'ana@saude.gov.br', password: 'Segredo#2026' }] },
)

/** The OAuth 2.0 password grant (RFC 6749, 4.3), form-encoded. */
export const LoginForm = Type.Object(
  {
    username: Text({ minLength: 1, maxLength: 254 }),
    password: AnyPassword,
    mfa_code: Type.Optional(MfaCode),
    grant_type: Type.Optional(Type.String({ maxLength: 20 })),
  },
  { title: 'LoginForm', examples: [{ username: 'ana@saude.gov.br', password: 'Segredo#2026' }] },
)

export const EmailQuery = Type.Object({ email: Email })

const Telefone = Type.String({
  pattern: '^\\(\\d{2}\\) \\d{4,5}-\\d{4}$',
  'x-format': 'phone',
  examples: ['(81) 99999-0000'],
})
const PermissaoRef = Type.Object(
  {
    id: Type.Optional(Id),
    nome: Type.Optional(Text({ maxLength: 100 })),
    descricao: Type.Optional(Nullable(Type.String())),
  },
  { minProperties: 1, title: 'PermissaoRef', description: 'Encontrada por `id`; sem ele, por `nome`' },
)

/** Spec 2.1, Create. */
const UsuarioCreate = Type.Object(
  {
    nome: Text({ minLength: 1, maxLength: 200 }),
    email: Email,
    senha: AnyPassword,
    master_key: Text({ maxLength: 1000 }),
    admin: Type.Optional(Type.Boolean()),
    ativo: Type.Optional(Type.Boolean()),
    telefone: Type.Optional(Nullable(Telefone)),
    estado: Type.Optional(Nullable(OneOf(UFS))),
    cidade: Type.Optional(Nullable(Text({ maxLength: 100 }))),
    funcao: Type.Optional(Nullable(Text({ maxLength: 100 }))),
    instituicao: Type.Optional(Nullable(Text({ maxLength: 200 }))),
    permissoes: Type.Optional(Type.Array(PermissaoRef, { maxItems: 500 })),
  },
  { title: 'UsuarioCreate' },
)

export const Signup = Type.Object(
  { usuario: UsuarioCreate, permissoes: Type.Optional(Ids) },
  {
    title: 'Signup',
    examples: [
      {
        usuario: {
          nome: 'Ana Souza',
          email: 'ana@saude.gov.br',
          senha: 'Segredo#2026',
          master_key: 'a chave mestra',
          estado: 'PE',
          cidade: 'Recife',
        },
        permissoes: [12],
      },
    ],
  },
)

/** Spec 2.1, Base: no id. */
export const UsuarioBase = Type.Object(
  {
    nome: Type.String(),
    email: Type.String(),
    admin: Type.Boolean(),
    ativo: Type.Boolean(),
    telefone: Nullable(Type.String()),
    estado: Nullable(OneOf(UFS)),
    cidade: Nullable(Type.String()),
    funcao: Nullable(Type.String()),
    instituicao: Nullable(Type.String()),
    permissoes: Type.Array(PermissaoItem),
  },
  { title: 'UsuarioBase' },
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

export function fromSignup(
  { usuario, permissoes = [] }: Type.Static<typeof Signup>,
  idioma: string,
): SignupInput {
  const { telefone = null, estado = null, cidade = null, funcao = null, instituicao = null } = usuario
  return {
    nome: usuario.nome,
    email: usuario.email,
    senha: usuario.senha,
    admin: usuario.admin ?? false,
    ativo: usuario.ativo ?? true,
    telefone,
    estado,
    cidade,
    funcao,
    instituicao,
    permissoes: usuario.permissoes ?? [],
    permissoes_ids: permissoes,
    idioma,
  }
}

export function toUsuarioBase(usuario: UsuarioRow, permissoes: PermissaoRow[]) {
  const { nome, email, admin, ativo, telefone, estado, cidade, funcao, instituicao } = usuario
  const base = { nome, email, admin, ativo, telefone, cidade, funcao, instituicao }
  return {
    ...base,
    estado: estado as (typeof UFS)[number] | null,
    permissoes: permissoes.map(toPermissaoItem),
  }
}

export function toLoggedUser(usuario: UsuarioRow) {
  const { id, nome, email, admin, telefone, estado, cidade, funcao, instituicao } = usuario
  return { id, nome, email, admin, telefone, estado, cidade, funcao, instituicao }
}
