import { codigoDaSemana } from '../../brasil/epi-week.ts'
import type { Municipios } from '../../brasil/municipios.ts'
import { UFS } from '../../brasil/uf.ts'
import { ZONAS } from '../../domain/casos/enumeracoes.ts'
import {
  AMBIENTES,
  CLASSIFICACOES_DE_EPIZOOTIA,
  CRITERIOS_DE_EPIZOOTIA,
  type EntradaDeEpizootia,
  ESPECIE_GRUPOS,
  FIRST_YEAR,
  MOST_ANIMALS,
  PRECISOES,
  RESULTADOS,
} from '../../domain/epizootias/campos.ts'
import type { EpizootiaExcluidaRow, EpizootiaRow } from '../../domain/epizootias/epizootias.sql.ts'
import type { Gravada } from '../../domain/epizootias/gravar.ts'
import type { Acontecido, EpizootiaVista } from '../../domain/epizootias/leitura.ts'
import { CAMPOS_COM_VALORES } from '../../domain/epizootias/valores.ts'
import { DateTime, described, Id, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, type TSchema, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'

/** Events in animals: what is sent and what is told. */

/** One line without control characters. */
const Line = (maxLength: number, description?: string) =>
  Type.String({
    pattern: '^(?!\\s*$)[^\\p{Cc}\\ud800-\\udfff]*$',
    'x-format': 'prose',
    minLength: 1,
    maxLength,
    ...(description && { description }),
  })

export const CodigoDeValor = (description: string) =>
  Type.String({
    pattern: '^[a-z][a-z0-9_]{1,39}$',
    'x-format': 'serie',
    minLength: 2,
    maxLength: 40,
    description,
    examples: ['febre_amarela'],
  })

const Day = (description?: string) => Type.String({ format: 'date', ...(description && { description }) })
const animals = Nullable(Type.Integer({ minimum: 0, maximum: MOST_ANIMALS }))

const required = {
  numero: Line(40, 'Do SINAN ou da fonte; único com a data de ocorrência'),
  municipio: Text({
    minLength: 1,
    maxLength: 200,
    description:
      'De ocorrência: código IBGE, de seis ou sete dígitos, ou nome, com `estado` onde há homônimos',
  }),
  especie_grupo: OneOf(ESPECIE_GRUPOS, { description: '`pnh`: primatas não humanos' }),
  suspeita: CodigoDeValor('Uma das de `GET /epizootias/valores`'),
}
const optional = {
  data_ocorrencia: Nullable(Day('Nula: só o mês ou o ano são conhecidos')),
  mes_ocorrencia: Nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Sem o dia' })),
  ano_ocorrencia: Type.Integer({ minimum: FIRST_YEAR, maximum: 2100, description: 'Obrigatório sem o dia' }),
  precisao_data: OneOf(PRECISOES, { description: 'Segue do que foi dado; outra é recusada' }),
  data_notificacao: Nullable(Day()),
  estado: OneOf(UFS),
  localidade: Nullable(Line(120)),
  zona: Nullable(OneOf(ZONAS)),
  latitude: Nullable(Type.Number({ minimum: -34, maximum: 6 })),
  longitude: Nullable(Type.Number({ minimum: -74, maximum: -28 })),
  ambiente: Nullable(OneOf(AMBIENTES)),
  especie: Nullable(Line(80, 'Gênero ou espécie')),
  animais_doentes: animals,
  animais_mortos: animals,
  material_coletado: Nullable(Type.Boolean()),
  data_coleta: Nullable(Day()),
  laboratorio_resultado: Nullable(OneOf(RESULTADOS)),
  classificacao: OneOf(CLASSIFICACOES_DE_EPIZOOTIA),
  criterio: Nullable(OneOf(CRITERIOS_DE_EPIZOOTIA, { description: 'Obrigatório com `confirmada`' })),
  data_encerramento: Nullable(Day()),
  observacao: Nullable(Text({ maxLength: 1000, description: 'Cifrada; só para quem registra' })),
}
const optionals = Object.fromEntries(
  Object.entries(optional).map(([nome, schema]) => [nome, Type.Optional(schema as TSchema)]),
) as { [K in keyof typeof optional]: ReturnType<typeof Type.Optional<(typeof optional)[K]>> }

export const RegistrarEpizootia = Type.Object(
  { ...required, ...optionals },
  {
    title: 'RegistrarEpizootia',
    additionalProperties: false,
    examples: [
      {
        numero: '2026000123',
        data_ocorrencia: '2026-01-12',
        municipio: '3550308',
        especie_grupo: 'pnh',
        especie: 'Alouatta',
        animais_mortos: 1,
        suspeita: 'febre_amarela',
      },
    ],
  },
)

export const AlterarEpizootia = Type.Partial(Type.Object({ ...required, ...optional }), {
  title: 'AlterarEpizootia',
  additionalProperties: false,
  description: 'Só os campos a alterar',
  examples: [{ classificacao: 'confirmada', criterio: 'laboratorial' }],
})

export const fromEpizootia = (body: Static<typeof RegistrarEpizootia>): EntradaDeEpizootia => trimmed(body)
export const fromAlterarEpizootia = (body: Static<typeof AlterarEpizootia>): EntradaDeEpizootia =>
  trimmed(body)

/** Texts without the blanks around them; an observation of blanks alone is none. */
function trimmed(body: object): EntradaDeEpizootia {
  const entries = Object.entries(body).map(([nome, value]) => [
    nome,
    typeof value === 'string' ? value.trim() || (nome === 'observacao' ? null : '') : value,
  ])
  return Object.fromEntries(entries)
}

const Pessoa = Type.Object({ id: Nullable(Type.Integer()), nome: Type.String() })
const MaybePessoa = Type.Unsafe<Static<typeof Pessoa> | null>({
  ...Pessoa,
  type: ['object', 'null'],
})

const epizootia = {
  id: Id,
  numero: Type.String(),
  data_ocorrencia: optional.data_ocorrencia,
  mes_ocorrencia: Nullable(Type.Integer()),
  ano_ocorrencia: Type.Integer(),
  precisao_data: OneOf(PRECISOES),
  semana: Nullable(Type.String({ description: 'Semana epidemiológica da ocorrência; nula sem o dia' })),
  data_notificacao: optional.data_notificacao,
  municipio: Type.String({ description: 'Nome' }),
  codigo_ibge: Type.String(),
  estado: Type.String(),
  localidade: Nullable(Type.String()),
  zona: Nullable(Type.String()),
  latitude: Nullable(Type.Number({ description: 'Com duas casas para quem não registra' })),
  longitude: Nullable(Type.Number()),
  ambiente: optional.ambiente,
  especie_grupo: OneOf(ESPECIE_GRUPOS),
  especie: Nullable(Type.String()),
  animais_doentes: animals,
  animais_mortos: animals,
  suspeita: Type.String(),
  material_coletado: optional.material_coletado,
  data_coleta: optional.data_coleta,
  laboratorio_resultado: optional.laboratorio_resultado,
  classificacao: OneOf(CLASSIFICACOES_DE_EPIZOOTIA),
  criterio: Nullable(OneOf(CRITERIOS_DE_EPIZOOTIA)),
  data_encerramento: optional.data_encerramento,
  criado_por: MaybePessoa,
  criado_em: DateTime,
  atualizado_em: DateTime,
  versao: Type.Integer(),
  importacao_id: Nullable(Type.Integer()),
}
export const Epizootia = Type.Object(epizootia, { title: 'Epizootia' })
export const ListaDeEpizootias = ListOf('items', Epizootia, 'ListaDeEpizootias')
export const EpizootiaDetalhe = Type.Object(
  {
    ...epizootia,
    observacao: Nullable(Type.String({ description: 'Nula para quem não registra' })),
  },
  { title: 'EpizootiaDetalhe' },
)

export function toEpizootia(row: EpizootiaRow, municipios: Municipios): Static<typeof Epizootia> {
  return {
    id: row.id,
    numero: row.numero,
    data_ocorrencia: row.data_ocorrencia,
    mes_ocorrencia: row.mes_ocorrencia,
    ano_ocorrencia: row.ano_ocorrencia,
    precisao_data: row.precisao_data,
    semana: row.data_ocorrencia && codigoDaSemana(row.data_ocorrencia),
    data_notificacao: row.data_notificacao,
    municipio: municipios.byCodigo(row.municipio)?.nome ?? String(row.municipio),
    codigo_ibge: String(row.municipio),
    estado: row.estado,
    localidade: row.localidade,
    zona: row.zona,
    latitude: row.latitude,
    longitude: row.longitude,
    ambiente: row.ambiente,
    especie_grupo: row.especie_grupo,
    especie: row.especie,
    animais_doentes: row.animais_doentes,
    animais_mortos: row.animais_mortos,
    suspeita: row.suspeita,
    material_coletado: row.material_coletado,
    data_coleta: row.data_coleta,
    laboratorio_resultado: row.laboratorio_resultado,
    classificacao: row.classificacao,
    criterio: row.criterio,
    data_encerramento: row.data_encerramento,
    criado_por: row.criado_por_nome === null ? null : { id: row.criado_por_id, nome: row.criado_por_nome },
    criado_em: row.criado_em.toISOString(),
    atualizado_em: row.atualizado_em.toISOString(),
    versao: row.versao,
    importacao_id: row.importacao_id,
  }
}

export const toEpizootiaDetalhe = (
  row: EpizootiaVista,
  municipios: Municipios,
): Static<typeof EpizootiaDetalhe> => ({ ...toEpizootia(row, municipios), observacao: row.observacao })

const EpizootiaExcluida = Type.Object(
  { ...epizootia, excluido_em: DateTime, excluido_por: MaybePessoa },
  { title: 'EpizootiaExcluida' },
)
export const ListaDeEpizootiasExcluidas = ListOf('items', EpizootiaExcluida, 'ListaDeEpizootiasExcluidas')

export const toEpizootiaExcluida = (
  row: EpizootiaExcluidaRow,
  municipios: Municipios,
): Static<typeof EpizootiaExcluida> => ({
  ...toEpizootia(row, municipios),
  excluido_em: row.excluido_em.toISOString(),
  excluido_por:
    row.excluido_por_nome === null ? null : { id: row.excluido_por_id, nome: row.excluido_por_nome },
})

export const EpizootiaGravada = Type.Object(
  {
    id: Id,
    versao: Type.Integer(),
    atualizado_em: DateTime,
    campos_alterados: Type.Array(Type.String()),
  },
  { title: 'EpizootiaGravada' },
)

export const toGravada = ({ id, versao, atualizado_em, campos_alterados }: Gravada) => ({
  ...{ id, versao, campos_alterados },
  atualizado_em: atualizado_em.toISOString(),
})

const AcontecidoSchema = Type.Object(
  {
    data: DateTime,
    acao: Type.String({ examples: ['criado', 'atualizado', 'excluido', 'restaurado', 'importado'] }),
    usuario: MaybePessoa,
    alteracoes: Type.Array(
      Type.Object({
        campo: Type.String(),
        anterior: Type.Unsafe<unknown>({}),
        novo: Type.Unsafe<unknown>({}),
      }),
    ),
    motivo: Nullable(Type.String({ description: 'De uma exclusão; nulo para quem não registra' })),
  },
  { title: 'HistoricoDaEpizootia' },
)
export const ListaDeHistoricoDeEpizootia = ListOf('items', AcontecidoSchema, 'ListaDeHistoricoDeEpizootia')

export function toAcontecido({ data, ...rest }: Acontecido, municipios: Municipios) {
  const shown = (campo: string, value: unknown) =>
    campo === 'municipio' && typeof value === 'number' ? (municipios.byCodigo(value)?.nome ?? value) : value
  const alteracoes = rest.alteracoes.map(({ campo, anterior, novo }) => ({
    campo,
    anterior: shown(campo, anterior),
    novo: shown(campo, novo),
  }))
  return { ...rest, data: data.toISOString(), alteracoes }
}

export const ValorDeEpizootia = Type.Object(
  { campo: OneOf(CAMPOS_COM_VALORES), codigo: CodigoDeValor('Nunca muda'), rotulo: Line(80) },
  {
    title: 'ValorDeEpizootia',
    additionalProperties: false,
    examples: [{ campo: 'suspeita', codigo: 'mormo', rotulo: 'Mormo' }],
  },
)
export const ValoresDeEpizootia = Type.Object(
  {
    items: described('`especie`: sugestões para um campo de texto livre', Type.Array(ValorDeEpizootia)),
  },
  { title: 'ValoresDeEpizootia' },
)
