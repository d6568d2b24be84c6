import { Type } from 'typebox'
import type { Caller } from '../../caller.ts'
import {
  effectiveNames,
  PERFIL_INCLUDES,
  type Perfil,
  type PerfilInclude,
} from '../../domain/usuarios/perfil.ts'
import type { UsuarioRow } from '../../domain/usuarios/usuarios.sql.ts'
import { invalid } from '../../errors/catalogue.ts'
import { DateTime, Id, Nullable } from '../../http/schemas.ts'
import { PermissaoItem, toPermissaoItem } from '../permissao.shapes.ts'
import { Sessao, toSessao } from './auth.shapes.ts'

const NullableText = Nullable(Type.String())
const NullableMoment = Nullable(DateTime)

/** Spec 2.4, what every output of a user has. */
const usuario = {
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
  email_verificado: Type.Boolean(),
  mfa_habilitado: Type.Boolean(),
  criado_em: DateTime,
  atualizado_em: DateTime,
  ultimo_acesso: NullableMoment,
}

export const PerfilB = Type.Object(
  {
    ...usuario,
    sessoes_ativas: Type.Integer(),
    grupos: Type.Optional(Type.Array(PermissaoItem, { description: 'Com include=grupos' })),
    permissoes_diretas: Type.Optional(Type.Array(PermissaoItem, { description: 'Com include=permissoes' })),
    permissoes_efetivas: Type.Optional(Type.Array(Type.String(), { description: 'Com include=permissoes' })),
    sessoes: Type.Optional(Type.Array(Sessao, { description: 'Com include=sessoes' })),
  },
  { title: 'Perfil' },
)

export const PerfilQuery = Type.Object({
  include: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Nomes separados por vírgula: ${PERFIL_INCLUDES.join(', ')}`,
    }),
  ),
})

/** `include`: names separated by commas; an unknown one is refused. */
export function fromInclude(text: string | undefined): Set<PerfilInclude> {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  for (const name of names)
    if (!(PERFIL_INCLUDES as readonly string[]).includes(name))
      throw invalid('query', ['include'], 'INVALID_VALUE', { allowed: PERFIL_INCLUDES.join(', ') })
  return new Set(names as PerfilInclude[])
}

function toUsuarioB(row: UsuarioRow) {
  return {
    id: row.id,
    nome: row.nome,
    email: row.email,
    cpf: row.cpf,
    telefone: row.telefone,
    avatar_url: null,
    cargo: row.cargo,
    departamento: row.departamento,
    cidade: row.cidade,
    estado: row.estado,
    admin: row.admin,
    ativo: row.ativo,
    email_verificado: row.email_verificado,
    mfa_habilitado: row.mfa_habilitado,
    criado_em: row.criado_em.toISOString(),
    atualizado_em: row.atualizado_em.toISOString(),
    ultimo_acesso: row.ultimo_acesso?.toISOString() ?? null,
  }
}

export function toPerfil(
  { usuario: row, sessoes, grupos, permissoes_diretas }: Perfil,
  caller: Caller,
  include: Set<PerfilInclude>,
) {
  return {
    ...toUsuarioB(row),
    sessoes_ativas: sessoes.length,
    ...(grupos && { grupos: grupos.map(toPermissaoItem) }),
    ...(permissoes_diretas && {
      permissoes_diretas: permissoes_diretas.map(toPermissaoItem),
      permissoes_efetivas: effectiveNames(caller),
    }),
    ...(include.has('sessoes') && { sessoes: sessoes.map((sessao) => toSessao(sessao, caller.sessao_id)) }),
  }
}
