import { type Caller, holds } from '../caller/caller.ts'
import type { App } from '../domain/app.ts'
import { historyOf } from '../domain/auditoria/history.ts'
import type { UsuarioWithRights } from '../domain/contas/contas.sql.ts'
import { listSessoesOf } from '../domain/sessoes/sessoes.ts'
import { deactivationEffect, type SituacaoDaConta, situacaoOf } from '../domain/usuarios/situacao.ts'
import { DateTime, Id, Nullable } from '../http/schemas.ts'
import { Type } from '../http/type.ts'
import { PermissaoItem, toPermissaoItem } from './permissao.shapes.ts'
import { Sessao, toSessao } from './sessao.shapes.ts'
import { GrupoComContagem, toUsuarioB, toUsuarioBase, usuarioB, usuarioBase } from './usuario.shapes.ts'

/**
 * One object for both descriptions: always the formal contract's Detail, and the module description's fields for callers
 * that may see them. No field name has two meanings.
 */
export const DETAIL_INCLUDES = [
  'grupos',
  'permissoes',
  'historico',
  'situacao',
  'sessoes',
  'desativacao',
] as const

export const DetailQuery = Type.Object({
  include: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Nomes separados por vírgula: ${DETAIL_INCLUDES.join(', ')}`,
    }),
  ),
})

/** Spec 2.1, Detail. */
const detail = {
  id: Id,
  ...usuarioBase,
  desativado_em: Nullable(DateTime),
  ultimo_login: Nullable(DateTime),
  criado_por_id: Nullable(Type.Integer()),
  atualizado_por_id: Nullable(Type.Integer()),
  created_at: DateTime,
  updated_at: DateTime,
}

const Historico = Type.Object(
  {
    data: DateTime,
    acao: Type.String(),
    usuario: Nullable(Type.Object({ id: Id, nome: Type.String() })),
    detalhes: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'HistoricoDeUsuario' },
)

const Situacao = Type.Object(
  {
    trocar_senha: Type.Boolean(),
    bloqueado_ate: Nullable(DateTime),
    sessoes_ativas: Type.Integer(),
    codigos_backup: Type.Integer(),
    exige_mfa: Type.Boolean(),
    email_pendente: Type.Optional(
      Nullable(Type.String({ description: 'Endereço que espera confirmação; só o próprio o vê' })),
    ),
  },
  { description: 'Com include=situacao' },
)

const Desativacao = Type.Object(
  { sessoes_encerradas: Type.Integer(), grupos_removidos: Type.Integer(), casos: Type.Integer() },
  { description: 'Com include=desativacao' },
)

export const UsuarioDetail = Type.Object(
  {
    ...Type.Partial(Type.Object(usuarioB)).properties,
    ...detail,
    grupos: Type.Optional(Type.Array(GrupoComContagem)),
    permissoes_diretas: Type.Optional(Type.Array(PermissaoItem)),
    permissoes_efetivas: Type.Optional(Type.Array(Type.String())),
    historico: Type.Optional(Type.Array(Historico, { description: 'Com include=historico' })),
    situacao: Type.Optional(Situacao),
    sessoes: Type.Optional(
      Type.Array(Sessao, {
        description: 'Com include=sessoes',
      }),
    ),
    desativacao: Type.Optional(Desativacao),
  },
  {
    title: 'UsuarioDetail',
    description: 'Os campos além do Detail: para quem tem `usuarios.listar` e para o próprio',
  },
)

export function seesAll(caller: Caller, { id }: { id: number }): boolean {
  return caller.id === id || holds(caller, 'usuarios.listar')
}

export function toUsuarioDetail(app: Pick<App, 'municipios' | 'territorios'>, usuario: UsuarioWithRights) {
  return {
    id: usuario.id,
    ...toUsuarioBase(app, usuario),
    desativado_em: usuario.desativado_em?.toISOString() ?? null,
    ultimo_login: usuario.ultimo_login?.toISOString() ?? null,
    criado_por_id: usuario.criado_por_id,
    atualizado_por_id: usuario.atualizado_por_id,
    created_at: usuario.criado_em.toISOString(),
    updated_at: usuario.atualizado_em.toISOString(),
  }
}

const toSituacao = ({ bloqueado_ate, email_pendente, ...situacao }: SituacaoDaConta, isOwn: boolean) => ({
  ...situacao,
  bloqueado_ate: bloqueado_ate?.toISOString() ?? null,
  ...(isOwn && { email_pendente }),
})

/** Addresses and devices of somebody else's sessions are for those who may end them. */
async function sessoesFor(app: Pick<App, 'db' | 'clock'>, caller: Caller, id: number) {
  if (caller.id !== id && !holds(caller, 'usuarios.editar')) return {}
  const sessoes = await listSessoesOf(app, id)
  return { sessoes: sessoes.map((sessao) => toSessao(sessao, caller.sessao_id)) }
}

export async function toFullDetail(
  app: Pick<App, 'db' | 'clock' | 'publicUrl' | 'municipios' | 'territorios'>,
  caller: Caller,
  usuario: UsuarioWithRights,
  include: Set<string>,
) {
  return {
    ...toUsuarioB(app, usuario),
    ...toUsuarioDetail(app, usuario),
    grupos: usuario.grupos,
    permissoes_diretas: usuario.permissoes_diretas.map(toPermissaoItem),
    permissoes_efetivas: usuario.permissoes_efetivas,
    ...(include.has('situacao') && {
      situacao: toSituacao(await situacaoOf(app, usuario), caller.id === usuario.id),
    }),
    ...(include.has('historico') && { historico: await historyOf(app, 'usuario', usuario.id) }),
    ...(include.has('sessoes') && (await sessoesFor(app, caller, usuario.id))),
    ...(include.has('desativacao') && { desativacao: await deactivationEffect(app, usuario) }),
  }
}
