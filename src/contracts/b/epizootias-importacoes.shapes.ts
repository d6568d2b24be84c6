import { LAYOUTS_DE_EPIZOOTIAS } from '../../domain/epizootias/importacao/layouts.ts'
import type { PedidoDeEpizootias } from '../../domain/epizootias/importacao/pedido.ts'
import { FORMATOS } from '../../domain/importacao/formats/table.ts'
import { IMPORTACOES_LIST, type ImportacaoView, MODOS } from '../../domain/importacao/importacoes.ts'
import type { ListRules } from '../../filter.ts'
import { Id, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { IMPORTACAO_COMUM, safeName, toImportacaoComum } from './importacoes.shapes.ts'

/** Imports of events in animals: the form, and what is told of them. */

export const EnviarEpizootias = Type.Object({
  modo: OneOf(MODOS, {
    default: 'validar',
    description: '`validar` nada grava e diz o que `importar` faria',
  }),
  ignorar_erros: Type.Boolean({ default: false, description: 'Importa as linhas boas' }),
  formato: Type.Optional(OneOf(FORMATOS, { description: 'O conteúdo decide; uma diferença é avisada' })),
})

export function fromEnviarEpizootias(
  { modo, ignorar_erros, formato }: Static<typeof EnviarEpizootias>,
  name: string,
): PedidoDeEpizootias {
  return { modo, ignorar_erros, formato: formato ?? null, arquivo_nome: safeName(name) }
}

export const IMPORTACOES_DE_EPIZOOTIAS_LIST: ListRules = {
  ...IMPORTACOES_LIST,
  fields: {
    ...IMPORTACOES_LIST.fields,
    layout: { type: 'text', operators: ['eq', 'ne', 'in'], values: LAYOUTS_DE_EPIZOOTIAS },
  },
}

export const ImportacaoDeEpizootias = Type.Object(
  {
    id: Id,
    job_id: Nullable(Type.String()),
    usuario: Type.Object({ id: Nullable(Type.Integer()), nome: Type.String() }),
    arquivo: Type.Object({
      nome: Type.String(),
      formato: OneOf(FORMATOS),
      layout: OneOf(LAYOUTS_DE_EPIZOOTIAS),
    }),
    total_linhas: Type.Integer(),
    importados: Type.Integer({ description: 'Eventos novos' }),
    atualizados: Type.Integer(),
    inalterados: Type.Integer(),
    ...IMPORTACAO_COMUM,
  },
  { title: 'ImportacaoDeEpizootias' },
)
export const ListaDeImportacoesDeEpizootias = ListOf(
  'items',
  ImportacaoDeEpizootias,
  'ListaDeImportacoesDeEpizootias',
)

export function toImportacaoDeEpizootias(row: ImportacaoView): Static<typeof ImportacaoDeEpizootias> {
  const { id, job_id, usuario_id, usuario_nome, arquivo_nome, formato, layout } = row
  const { total_linhas, importados, atualizados, inalterados } = row
  return {
    id,
    job_id,
    usuario: { id: usuario_id, nome: usuario_nome },
    arquivo: {
      nome: arquivo_nome,
      formato: formato as (typeof FORMATOS)[number],
      layout: layout as (typeof LAYOUTS_DE_EPIZOOTIAS)[number],
    },
    ...{ total_linhas, importados, atualizados, inalterados },
    ...toImportacaoComum(row),
  }
}
