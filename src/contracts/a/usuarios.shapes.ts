import type { App } from '../../domain/app.ts'
import type { UsuarioRow, UsuarioWithRights } from '../../domain/contas/contas.sql.ts'
import { pick } from '../../domain/contas/perfil.ts'
import { withNames } from '../../domain/territorios/lugares.ts'
import type { SignupInput } from '../../domain/usuarios/signup.ts'
import type { UsuarioEdit } from '../../domain/usuarios/update.ts'
import type { Filter } from '../../filter.ts'
import { DateTime, Id, Ids, Nullable, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Lugares } from '../lugar.shapes.ts'
import { AnyPassword, MfaCode } from '../token.shapes.ts'
import { BASE_FIELDS, toUsuarioBase, usuarioBase } from '../usuario.shapes.ts'
import { Email, NullableUf, Telefone } from '../usuario-fields.shapes.ts'

type Reference = Pick<App, 'municipios' | 'territorios'>

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

const PermissaoRef = Type.Object(
  {
    id: Type.Optional(Id),
    nome: Type.Optional(Text({ maxLength: 100 })),
    descricao: Type.Optional(Nullable(Type.String())),
  },
  { minProperties: 1, title: 'PermissaoRef', description: 'Encontrada por `id`; sem ele, por `nome`' },
)

/** Common fields of Create and Update. */
const editable = {
  nome: ProseText({ maxLength: 200 }),
  email: Email,
  admin: Type.Optional(Type.Boolean()),
  ativo: Type.Optional(Type.Boolean()),
  telefone: Type.Optional(Nullable(Telefone)),
  estado: Type.Optional(NullableUf),
  cidade: Type.Optional(Nullable(Text({ maxLength: 100 }))),
  funcao: Type.Optional(Nullable(Text({ maxLength: 100 }))),
  instituicao: Type.Optional(Nullable(Text({ maxLength: 200 }))),
  permissoes: Type.Optional(Type.Array(PermissaoRef, { maxItems: 500 })),
}

/** Spec 2.1, Create. */
const UsuarioCreate = Type.Object(
  {
    ...editable,
    senha: AnyPassword,
    master_key: Text({ maxLength: 1000 }),
    territorios: Type.Optional(Lugares),
  },
  { title: 'UsuarioCreate' },
)

/** Spec 2.1, Update. `senha` null or absent leaves it. */
const UsuarioUpdate = Type.Object(
  { ...editable, senha: Type.Optional(Nullable(AnyPassword)) },
  { title: 'UsuarioUpdate' },
)

export const UpdateA = Type.Object(
  { usuario: UsuarioUpdate, permissoes: Type.Optional(Ids) },
  {
    title: 'UpdateA',
    examples: [{ usuario: { nome: 'Ana Souza', email: 'ana@saude.gov.br', cidade: 'Olinda' } }],
  },
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
export const UsuarioBase = Type.Object(usuarioBase, { title: 'UsuarioBase' })

export const UsuarioListItem = Type.Object(
  { id: Id, ...usuarioBase, desativado_em: Nullable(DateTime) },
  { title: 'UsuarioListItem' },
)

export const PaginatedUsers = Type.Object(
  {
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    usuarios: Type.Array(UsuarioListItem),
  },
  { title: 'PaginatedUsers' },
)

const { permissoes: _permissoes, ativo: _ativo, ...logged } = usuarioBase
const LOGGED_FIELDS = ['id', ...BASE_FIELDS.filter((field) => field !== 'ativo')] as const

export const LoggedUser = Type.Object({ id: Id, ...logged }, { title: 'LoggedUser' })

/** Spec 4.1: every filter "contains", without regard to case and accents. */
export const ListQueryA = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
  nome: Type.Optional(Text({ maxLength: 200 })),
  email: Type.Optional(Text({ maxLength: 200 })),
  admin: Type.Optional(Type.Boolean()),
  ativo: Type.Optional(Type.Boolean()),
  cidade: Type.Optional(Text({ maxLength: 200 })),
  estado: Type.Optional(Text({ maxLength: 200 })),
  search: Type.Optional(
    Text({ maxLength: 200, description: 'Em nome, e-mail, cidade, estado e instituição' }),
  ),
})

export function fromListQueryA(query: Static<typeof ListQueryA>): Filter {
  const of: Filter[] = []
  for (const field of ['nome', 'email', 'cidade', 'estado'] as const)
    if (query[field]) of.push({ kind: 'test', field, op: 'like', value: query[field] })
  for (const field of ['admin', 'ativo'] as const)
    if (query[field] !== undefined) of.push({ kind: 'test', field, op: 'eq', value: query[field] })
  if (query.search?.trim()) of.push({ kind: 'search', text: query.search.trim() })
  return { kind: 'and', of }
}

export function fromSignup({ usuario, permissoes = [] }: Static<typeof Signup>, idioma: string): SignupInput {
  const { telefone = null, estado = null, cidade = null, funcao = null, instituicao = null } = usuario
  return {
    nome: usuario.nome,
    email: usuario.email,
    senha: usuario.senha,
    admin: usuario.admin ?? false,
    ativo: usuario.ativo ?? true,
    plano: null,
    cpf: null,
    ...{ telefone, estado, cidade, funcao, instituicao },
    cargo: null,
    departamento: null,
    grupos_ids: null,
    permissoes: usuario.permissoes ?? [],
    permissoes_ids: permissoes,
    territorios: usuario.territorios ?? null,
    forcar_troca: false,
    idioma,
  }
}

/** Without permissions, which are resolved from two fields together. */
export function fromUpdateA({ usuario }: Static<typeof UpdateA>): UsuarioEdit {
  const { senha } = usuario
  return { ...pick(usuario, BASE_FIELDS), ...(senha != null && { senha }) }
}

export function toUsuarioListItem(app: Reference, usuario: UsuarioWithRights) {
  const desativado_em = usuario.desativado_em?.toISOString() ?? null
  return { id: usuario.id, ...toUsuarioBase(app, usuario), desativado_em }
}

export function toLoggedUser(app: Reference, usuario: UsuarioRow) {
  return { ...pick(usuario, LOGGED_FIELDS), territorios: withNames(app, usuario.territorios) }
}
