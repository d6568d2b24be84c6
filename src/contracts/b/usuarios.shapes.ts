import type { Caller } from '../../caller/caller.ts'
import { PLANOS } from '../../caller/planos.ts'
import type { App } from '../../domain/app.ts'
import type { UsuarioWithRights } from '../../domain/contas/contas.sql.ts'
import { withNames } from '../../domain/territorios/lugares.ts'
import type { NewUsuario } from '../../domain/usuarios/create.ts'
import type { UsuarioStatistics } from '../../domain/usuarios/estatisticas.ts'
import { AGRUPAMENTOS, PERIODOS } from '../../domain/usuarios/estatisticas.ts'
import type { Rights } from '../../domain/usuarios/links.ts'
import type { UsuarioDaLista } from '../../domain/usuarios/list.ts'
import {
  effectiveNames,
  PERFIL_INCLUDES,
  type Perfil,
  type PerfilInclude,
} from '../../domain/usuarios/perfil.ts'
import { DateTime, Id, Ids, Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Lugares, LugaresComNome } from '../lugar.shapes.ts'
import { PermissaoItem, toPermissaoItem } from '../permissao.shapes.ts'
import { Sessao, toSessao } from '../sessao.shapes.ts'
import { Servico, toUsuarioB, usuarioB } from '../usuario.shapes.ts'
import { Email, NullableUf, Telefone } from '../usuario-fields.shapes.ts'
import { ListOf } from './envelope.ts'
import { Preferencias } from './preferencias.shapes.ts'

export const PerfilB = Type.Object(
  {
    ...usuarioB,
    sessoes_ativas: Type.Integer(),
    grupos: Type.Optional(Type.Array(PermissaoItem, { description: 'Com include=grupos' })),
    permissoes_diretas: Type.Optional(Type.Array(PermissaoItem, { description: 'Com include=permissoes' })),
    permissoes_efetivas: Type.Optional(Type.Array(Type.String(), { description: 'Com include=permissoes' })),
    sessoes: Type.Optional(Type.Array(Sessao, { description: 'Com include=sessoes' })),
    preferencias: Type.Optional(Preferencias),
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

export function toPerfil(
  app: Pick<App, 'publicUrl' | 'municipios' | 'territorios'>,
  { usuario, sessoes, grupos, permissoes_diretas, preferencias }: Perfil,
  caller: Caller,
  include: Set<PerfilInclude>,
) {
  return {
    ...toUsuarioB(app, usuario),
    sessoes_ativas: sessoes.length,
    ...(grupos && { grupos: grupos.map(toPermissaoItem) }),
    ...(permissoes_diretas && {
      permissoes_diretas: permissoes_diretas.map(toPermissaoItem),
      permissoes_efetivas: effectiveNames(caller),
    }),
    ...(include.has('sessoes') && { sessoes: sessoes.map((sessao) => toSessao(sessao, caller.sessao_id)) }),
    ...(preferencias && { preferencias }),
  }
}

const UsuarioItem = Type.Object(
  {
    ...usuarioB,
    servico: Type.Optional(Servico),
    bloqueado: Type.Optional(
      Type.Literal(true, { description: 'A entrada está bloqueada por tentativas que falharam' }),
    ),
    grupos: Type.Array(PermissaoItem),
    permissoes_diretas: Type.Array(PermissaoItem),
    total_permissoes: Type.Integer(),
  },
  { title: 'UsuarioItem' },
)
export const ListaDeUsuarios = ListOf('items', UsuarioItem, 'ListaDeUsuarios')

export function toUsuarioItem(
  app: Pick<App, 'publicUrl' | 'municipios' | 'territorios'>,
  usuario: UsuarioDaLista,
) {
  return {
    ...toUsuarioB(app, usuario),
    ...(usuario.servico && { servico: true }),
    ...(usuario.bloqueado && { bloqueado: true as const }),
    grupos: usuario.grupos.map(toPermissaoItem),
    permissoes_diretas: usuario.permissoes_diretas.map(toPermissaoItem),
    total_permissoes: usuario.permissoes_efetivas.length,
  }
}

/** Spec 2.4, create. The rules of CPF, password, groups and permissions are the domain's. */
export const CriarUsuario = Type.Object(
  {
    nome: ProseText({ maxLength: 200 }),
    email: Email,
    senha: Type.Optional(Text({ maxLength: 1000, description: 'Ou `convidar`' })),
    convidar: Type.Optional(Type.Boolean({ description: 'A pessoa escolhe a senha por e-mail' })),
    cpf: Type.Optional(Nullable(Text({ maxLength: 20 }))),
    telefone: Type.Optional(Nullable(Telefone)),
    cargo: Type.Optional(Nullable(Text({ maxLength: 100 }))),
    departamento: Type.Optional(Nullable(Text({ maxLength: 100 }))),
    cidade: Type.Optional(Nullable(Text({ maxLength: 100 }))),
    estado: Type.Optional(NullableUf),
    funcao: Type.Optional(Nullable(Text({ maxLength: 100 }))),
    instituicao: Type.Optional(Nullable(Text({ maxLength: 200 }))),
    admin: Type.Optional(Type.Boolean()),
    ativo: Type.Optional(Type.Boolean()),
    forcar_troca: Type.Optional(Type.Boolean({ description: 'No primeiro acesso' })),
    plano: Type.Optional(OneOf(PLANOS)),
    grupos_ids: Type.Optional(Ids),
    permissoes_ids: Type.Optional(Ids),
    territorios: Type.Optional(Lugares),
  },
  {
    title: 'CriarUsuario',
    examples: [
      {
        nome: 'Ana Souza',
        email: 'ana@saude.gov.br',
        senha: 'Segredo#2026',
        cpf: '529.982.247-25',
        cargo: 'Epidemiologista',
        estado: 'PE',
        grupos_ids: [3],
      },
    ],
  },
)

export const UsuarioCriado = Type.Object(
  {
    id: Id,
    email: Type.String(),
    nome: Type.String(),
    cpf: Nullable(Type.String()),
    criado_em: DateTime,
    grupos: Type.Array(PermissaoItem),
    territorios: LugaresComNome,
    mensagem: Type.String(),
  },
  { title: 'UsuarioCriado' },
)

export function fromCriarUsuario(body: Static<typeof CriarUsuario>, idioma: string): NewUsuario {
  const { nome, email, senha = null, admin = false, ativo = true, plano = null, permissoes_ids = [] } = body
  const { cpf = null, telefone = null, estado = null, cidade = null, funcao = null } = body
  const {
    instituicao = null,
    cargo = null,
    departamento = null,
    grupos_ids = null,
    territorios = null,
    forcar_troca = false,
  } = body
  return {
    ...{ nome, email, senha, admin, ativo, plano, permissoes_ids, cpf, telefone, estado, cidade, funcao },
    ...{ instituicao, cargo, departamento, grupos_ids, territorios, idioma, forcar_troca },
  }
}

export function toUsuarioCriado(app: Pick<App, 'municipios' | 'territorios'>, usuario: UsuarioWithRights) {
  const { id, email, nome, cpf, criado_em, grupos, territorios } = usuario
  return {
    ...{ id, email, nome, cpf },
    criado_em: criado_em.toISOString(),
    grupos: grupos.map(toPermissaoItem),
    territorios: withNames(app, territorios),
    mensagem: 'Usuário criado com sucesso',
  }
}

export const UsuarioAlterado = Type.Object(
  {
    id: Id,
    message: Type.String(),
    campos_alterados: Type.Array(Type.String()),
    requer_acao: Type.Object({ email_verificacao: Type.Boolean(), relogin: Type.Boolean() }),
  },
  { title: 'UsuarioAlterado' },
)

export const ExcluirUsuario = Type.Object({
  motivo: ProseText({ maxLength: 500 }),
  transferir_para: Type.Optional(Type.Unsafe<number>({ ...Id, description: 'Quem fica com os casos' })),
  force: Type.Optional(Type.Boolean({ description: 'Remove de vez (administradores)' })),
})

export const UsuarioExcluido = Type.Object(
  {
    message: Type.String(),
    avisos: Type.Array(Type.String()),
    acoes_realizadas: Type.Object({
      usuario_desativado: Type.Boolean(),
      sessoes_encerradas: Type.Integer(),
      casos_transferidos: Type.Integer(),
      grupos_removidos: Type.Integer(),
    }),
  },
  { title: 'UsuarioExcluido' },
)

export const GruposDoUsuario = Type.Object(
  { grupos_ids: Ids },
  { title: 'GruposDoUsuario', examples: [{ grupos_ids: [3] }] },
)

const Fonte = Type.Object(
  { nome: Type.String(), direta: Type.Boolean(), grupos: Type.Array(Type.String()) },
  { title: 'FonteDePermissao' },
)
export const PermissoesDoUsuario = Type.Object(
  {
    grupos: Type.Array(PermissaoItem),
    permissoes_diretas: Type.Array(PermissaoItem),
    permissoes_efetivas: Type.Array(Type.String()),
    tem_permissao_admin: Type.Boolean(),
    fontes: Type.Array(Fonte, {
      description: 'De onde vem cada permissão; o administrador tem ainda todas as outras',
    }),
  },
  { title: 'PermissoesDoUsuario' },
)

export function toPermissoesDoUsuario({ usuario, fontes }: Rights) {
  return {
    grupos: usuario.grupos.map(toPermissaoItem),
    permissoes_diretas: usuario.permissoes_diretas.map(toPermissaoItem),
    permissoes_efetivas: usuario.permissoes_efetivas,
    tem_permissao_admin: usuario.permissoes_efetivas.includes('admin'),
    fontes,
  }
}

export const EstatisticasQuery = Type.Object(
  {
    periodo: OneOf(PERIODOS, { default: 'ultimos_30_dias' }),
    agrupar_por: Type.Optional(OneOf(AGRUPAMENTOS)),
  },
  { additionalProperties: false },
)

const Contadores = Type.Record(Type.String(), Type.Integer())
export const EstatisticasDeUsuarios = Type.Object(
  {
    periodo: Type.Object({ nome: Type.String(), inicio: DateTime, fim: DateTime }),
    total_usuarios: Type.Integer(),
    usuarios_ativos: Type.Integer(),
    usuarios_inativos: Type.Integer(),
    novos_usuarios_periodo: Type.Integer(),
    por_grupo: Contadores,
    por_estado: Contadores,
    por_departamento: Type.Optional(
      Type.Unsafe<Record<string, number>>({ ...Contadores, description: 'Com agrupar_por=departamento' }),
    ),
    acessos: Type.Object({ logins: Type.Integer(), usuarios_distintos: Type.Integer() }),
    seguranca: Type.Object({
      mfa_habilitado: Type.Integer(),
      email_verificado: Type.Integer(),
      administradores: Type.Integer(),
      troca_de_senha_pendente: Type.Integer(),
      logins_falhos: Type.Integer(),
      bloqueios: Type.Integer(),
    }),
  },
  { title: 'EstatisticasDeUsuarios' },
)

export function toEstatisticas(estatisticas: UsuarioStatistics, nome: string) {
  const { contagens, acessos, inicio, fim, por_grupo, por_estado, por_departamento } = estatisticas
  const counters = (groups: { nome: string; total: number }[]) =>
    Object.fromEntries(groups.map(({ nome: key, total }) => [key, total]))
  return {
    periodo: { nome, inicio: inicio.toISOString(), fim: fim.toISOString() },
    total_usuarios: contagens.total_usuarios,
    usuarios_ativos: contagens.usuarios_ativos,
    usuarios_inativos: contagens.usuarios_inativos,
    novos_usuarios_periodo: contagens.novos_usuarios_periodo,
    por_grupo: counters(por_grupo),
    por_estado: counters(por_estado),
    ...(por_departamento && { por_departamento: counters(por_departamento) }),
    acessos: { logins: acessos.logins, usuarios_distintos: acessos.usuarios_distintos },
    seguranca: {
      mfa_habilitado: contagens.mfa_habilitado,
      email_verificado: contagens.email_verificado,
      administradores: contagens.administradores,
      troca_de_senha_pendente: contagens.troca_de_senha_pendente,
      logins_falhos: acessos.falhas,
      bloqueios: acessos.bloqueios,
    },
  }
}
