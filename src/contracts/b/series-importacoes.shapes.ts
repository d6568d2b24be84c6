import { UFS } from '../../brasil/uf.ts'
import { FORMATOS } from '../../domain/importacao/formats/table.ts'
import { IMPORTACOES_LIST, type ImportacaoView, MODOS } from '../../domain/importacao/importacoes.ts'
import { LAYOUTS_DE_SERIES } from '../../domain/series/importacao/arquivo.ts'
import type { PedidoDeSeries } from '../../domain/series/importacao/pedido.ts'
import { PERIODOS } from '../../domain/series/periodos.ts'
import type { ListRules } from '../../filter.ts'
import { Id, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { IMPORTACAO_COMUM, safeName, toImportacaoComum } from './importacoes.shapes.ts'
import { CodigoDaSerie } from './series.shapes.ts'

/** Imports of series: the form, and what is told of them. */

export const EnviarSeries = Type.Object({
  modo: OneOf(MODOS, {
    default: 'validar',
    description: '`validar` nada grava e diz o que `importar` faria',
  }),
  ignorar_erros: Type.Boolean({ default: false, description: 'Importa as linhas boas' }),
  formato: Type.Optional(OneOf(FORMATOS, { description: 'O conteúdo decide; uma diferença é avisada' })),
  serie: Type.Optional(CodigoDaSerie('Onde o arquivo não diz a série')),
  municipio: Type.Optional(Text({ maxLength: 200, description: 'Onde o arquivo não diz o lugar' })),
  estado: Type.Optional(OneOf(UFS, { description: 'Dos municípios que o arquivo nomeia' })),
  ano: Type.Optional(
    Type.Integer({ minimum: 1950, maximum: 2100, description: 'De semanas e meses sem ano' }),
  ),
  periodo: Type.Optional(
    OneOf(PERIODOS, { description: 'Qual das colunas de período vale, onde o arquivo tem várias' }),
  ),
})

export function fromEnviarSeries(
  { modo, ignorar_erros, formato, serie, municipio, estado, ano, periodo }: Static<typeof EnviarSeries>,
  name: string,
): PedidoDeSeries {
  return {
    modo,
    ignorar_erros,
    formato: formato ?? null,
    arquivo_nome: safeName(name),
    form: {
      serie: serie ?? null,
      municipio: municipio?.trim() || null,
      estado: estado ?? null,
      ano: ano ?? null,
      periodo: periodo ?? null,
    },
  }
}

const FORMATOS_DE_SERIES = [...FORMATOS, 'json'] as const

export const IMPORTACOES_DE_SERIES_LIST: ListRules = {
  ...IMPORTACOES_LIST,
  fields: {
    ...IMPORTACOES_LIST.fields,
    formato: { type: 'text', operators: ['eq', 'ne', 'in'], values: FORMATOS_DE_SERIES },
    layout: { type: 'text', operators: ['eq', 'ne', 'in'], values: LAYOUTS_DE_SERIES },
  },
}

export const ImportacaoDeSeries = Type.Object(
  {
    id: Id,
    job_id: Nullable(Type.String()),
    usuario: Type.Object({ id: Nullable(Type.Integer()), nome: Type.String() }),
    arquivo: Type.Object({
      nome: Type.String(),
      formato: OneOf(FORMATOS_DE_SERIES),
      layout: OneOf(LAYOUTS_DE_SERIES, { description: '`valores`: gravados por JSON' }),
    }),
    total_linhas: Type.Integer(),
    importados: Type.Integer({ description: 'Valores novos' }),
    atualizados: Type.Integer(),
    inalterados: Type.Integer(),
    apagados: Type.Integer(),
    ...IMPORTACAO_COMUM,
  },
  { title: 'ImportacaoDeSeries' },
)
export const ListaDeImportacoesDeSeries = ListOf('items', ImportacaoDeSeries, 'ListaDeImportacoesDeSeries')

export function toImportacaoDeSeries(row: ImportacaoView): Static<typeof ImportacaoDeSeries> {
  return {
    id: row.id,
    job_id: row.job_id,
    usuario: { id: row.usuario_id, nome: row.usuario_nome },
    arquivo: {
      nome: row.arquivo_nome,
      formato: row.formato as (typeof FORMATOS_DE_SERIES)[number],
      layout: row.layout as (typeof LAYOUTS_DE_SERIES)[number],
    },
    total_linhas: row.total_linhas,
    importados: row.importados,
    atualizados: row.atualizados,
    inalterados: row.inalterados,
    apagados: row.apagados,
    ...toImportacaoComum(row),
  }
}
