import { PLANOS } from '../caller/planos.ts'
import type { App } from '../domain/app.ts'
import type { UsuarioRow, UsuarioWithRights } from '../domain/contas/contas.sql.ts'
import { pick } from '../domain/contas/perfil.ts'
import { withNames } from '../domain/territorios/lugares.ts'
import { DateTime, Id, Nullable, OneOf } from '../http/schemas.ts'
import { Type } from '../http/type.ts'
import { avatarUrl } from './avatar.ts'
import { LugaresComNome } from './lugar.shapes.ts'
import { PermissaoItem, toPermissaoItem } from './permissao.shapes.ts'

const NullableText = Nullable(Type.String())

export const BASE_FIELDS = [
  'nome',
  'email',
  'admin',
  'ativo',
  'telefone',
  'estado',
  'cidade',
  'funcao',
  'instituicao',
] as const

export const Servico = Type.Boolean({
  description: 'Conta de serviço, de uma máquina; ausente nas de pessoas',
})

/** Spec 2.1, Base: no id. */
export const usuarioBase = {
  nome: Type.String(),
  email: Type.String(),
  admin: Type.Boolean(),
  ativo: Type.Boolean(),
  telefone: NullableText,
  estado: NullableText,
  cidade: NullableText,
  funcao: NullableText,
  instituicao: NullableText,
  permissoes: Type.Array(PermissaoItem),
  territorios: LugaresComNome,
}

type Reference = Pick<App, 'municipios' | 'territorios'>

export function toUsuarioBase(app: Reference, usuario: UsuarioWithRights) {
  return {
    ...pick(usuario, BASE_FIELDS),
    permissoes: usuario.permissoes_diretas.map(toPermissaoItem),
    territorios: withNames(app, usuario.territorios),
  }
}

/** Spec 2.4: fields of every user in the module description. */
export const usuarioB = {
  id: Id,
  nome: Type.String(),
  email: Type.String(),
  cpf: NullableText,
  telefone: NullableText,
  avatar_url: NullableText,
  cargo: NullableText,
  departamento: NullableText,
  cidade: NullableText,
  estado: NullableText,
  admin: Type.Boolean(),
  ativo: Type.Boolean(),
  plano: OneOf(PLANOS),
  email_verificado: Type.Boolean(),
  mfa_habilitado: Type.Boolean(),
  criado_em: DateTime,
  atualizado_em: DateTime,
  ultimo_acesso: Nullable(DateTime),
  territorios: LugaresComNome,
}

export const GrupoComContagem = Type.Object(
  { id: Id, nome: Type.String(), descricao: NullableText, permissoes_count: Type.Integer() },
  { title: 'GrupoComContagem' },
)

export function toUsuarioB(app: Pick<App, 'publicUrl'> & Reference, row: UsuarioRow) {
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    cpf: row.cpf,
    telefone: row.telefone,
    avatar_url: avatarUrl(app, row.id, row.foto_versao),
    cargo: row.cargo,
    departamento: row.departamento,
    cidade: row.cidade,
    estado: row.estado,
    admin: row.admin,
    ativo: row.ativo,
    plano: row.plano,
    email_verificado: row.email_verificado,
    mfa_habilitado: row.mfa_habilitado,
    criado_em: row.criado_em.toISOString(),
    atualizado_em: row.atualizado_em.toISOString(),
    ultimo_acesso: row.ultimo_acesso?.toISOString() ?? null,
    territorios: withNames(app, row.territorios),
  }
}
