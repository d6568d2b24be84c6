import type { GrupoRow, MembroRow } from '../../domain/grupos/grupos.sql.ts'
import { DateTime, Id, Ids, Nullable, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { PermissaoItem, toPermissaoItem } from '../permissao.shapes.ts'
import { ListOf } from './envelope.ts'

/** Spec 2.5. */
const Nome = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[\\p{Ll}\\p{N}]([\\p{Ll}\\p{N}._-]*)$',
  'x-format': 'group-name',
  description: 'Único, minúsculo, sem espaços',
})
const Descricao = Nullable(Text({ maxLength: 500 }))

export const CriarGrupo = Type.Object(
  {
    nome: Nome,
    descricao: Type.Optional(Descricao),
    ativo: Type.Optional(Type.Boolean()),
    exige_mfa: Type.Optional(Type.Boolean({ description: 'Exige segundo fator dos membros' })),
    permissoes_ids: Type.Optional(Ids),
  },
  {
    title: 'CriarGrupo',
    examples: [{ nome: 'vigilancia_recife', descricao: 'Vigilância do Recife', permissoes_ids: [12, 17] }],
  },
)

export const AlterarGrupo = Type.Partial(CriarGrupo, {
  title: 'AlterarGrupo',
  description: 'Só os campos a alterar; `permissoes_ids` substitui todas as permissões do grupo',
  examples: [{ descricao: 'Vigilância epidemiológica do Recife' }],
})

export const PermissoesDoGrupo = Type.Object(
  { permissoes_ids: Ids },
  { title: 'PermissoesDoGrupo', examples: [{ permissoes_ids: [12, 17] }] },
)

export const ExcluirGrupo = Type.Object({
  transferir_usuarios: Type.Optional(
    Type.Unsafe<number>({ ...Id, description: 'Grupo que recebe os membros' }),
  ),
  force: Type.Optional(Type.Boolean({ description: 'Exclui mesmo com membros, que apenas deixam o grupo' })),
})

const grupo = {
  id: Id,
  nome: Type.String(),
  descricao: Nullable(Type.String()),
  ativo: Type.Boolean(),
  exige_mfa: Type.Boolean(),
  criado_em: DateTime,
  atualizado_em: DateTime,
  total_usuarios: Type.Integer(),
  permissoes: Type.Array(PermissaoItem),
}

export const Grupo = Type.Object(grupo, { title: 'Grupo' })
export const GrupoCriado = Type.Object({ ...grupo, mensagem: Type.String() }, { title: 'GrupoCriado' })
export const GrupoAlterado = Type.Object(
  { id: Id, message: Type.String(), total_usuarios: Type.Integer() },
  { title: 'GrupoAlterado' },
)
export const ListaDeGrupos = ListOf('grupos', Grupo, 'ListaDeGrupos')

const Membro = Type.Object(
  { id: Id, nome: Type.String(), email: Type.String(), ativo: Type.Boolean() },
  { title: 'Membro' },
)
export const ListaDeMembros = ListOf('usuarios', Membro, 'ListaDeMembros')
export const MembroIncluido = Type.Object(
  { message: Type.String(), grupo_id: Id, usuario_id: Id, total_usuarios: Type.Integer() },
  { title: 'MembroIncluido' },
)

export function fromCriarGrupo(body: Static<typeof CriarGrupo>) {
  const { nome, descricao = null, ativo = true, exige_mfa = false, permissoes_ids = [] } = body
  return { nome, descricao, ativo, exige_mfa, permissoes_ids }
}

/** Fields that were sent; absent ones stay unchanged. */
export function fromAlterarGrupo(body: Static<typeof AlterarGrupo>) {
  const { nome, descricao, ativo, exige_mfa, permissoes_ids } = body
  return {
    ...(nome !== undefined && { nome }),
    ...(descricao !== undefined && { descricao }),
    ...(ativo !== undefined && { ativo }),
    ...(exige_mfa !== undefined && { exige_mfa }),
    ...(permissoes_ids !== undefined && { permissoes_ids }),
  }
}

export function fromExcluirGrupo({ transferir_usuarios, force }: Static<typeof ExcluirGrupo>) {
  return {
    ...(transferir_usuarios !== undefined && { transferir_usuarios }),
    ...(force !== undefined && { force }),
  }
}

export function toGrupo(row: GrupoRow) {
  return {
    id: row.id,
    nome: row.nome,
    descricao: row.descricao,
    ativo: row.ativo,
    exige_mfa: row.exige_mfa,
    criado_em: row.criado_em.toISOString(),
    atualizado_em: row.atualizado_em.toISOString(),
    total_usuarios: row.total_usuarios,
    permissoes: row.permissoes.map(toPermissaoItem),
  }
}

export function toMembro({ id, nome, email, ativo }: MembroRow) {
  return { id, nome, email, ativo }
}
