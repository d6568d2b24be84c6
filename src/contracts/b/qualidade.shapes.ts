import type { Municipios } from '../../brasil/municipios.ts'
import type { Uf } from '../../brasil/uf.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import type { CasoComPendencias, ResumoDePendencia } from '../../domain/casos/qualidade/pendencias.ts'
import type { QualidadeDoLugar, QualidadePedida } from '../../domain/casos/qualidade/qualidade.ts'
import {
  CAMPOS_DA_COMPLETUDE,
  COMPLETUDE,
  DIVISOES,
  FAIXAS,
  INCONSISTENCIAS,
  MEDIDAS,
  PENDENCIAS,
} from '../../domain/casos/qualidade/regras.ts'
import { DEFAULT_SIZE, MAX_PAGE, MAX_SIZE } from '../../http/paging.ts'
import { DateTime, described, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { CasoResumo, toResumo } from './caso-saida.shapes.ts'
import { ListOf } from './envelope.ts'
import { FormatoQuery } from './tabela-csv.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

const DateText = Type.String({ format: 'date' })

export const QualidadeQuery = Type.Object(
  {
    ...LugarQuery,
    tipo_agravo: Type.Optional(described('Sem ele, todos os agravos', OneOf(TIPOS_AGRAVO))),
    data_inicio: Type.Optional(
      described('Primeiro dia de notificação; sem ele, 365 dias até o último', DateText),
    ),
    data_fim: Type.Optional(described('Último dia de notificação; sem ele, hoje', DateText)),
    agrupar_por: Type.Optional(
      described('Acrescenta `grupos`, os que têm casos, em ordem de código', OneOf(DIVISOES)),
    ),
    page: Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 1, description: 'Página dos grupos' }),
    size: Type.Integer({
      minimum: 1,
      maximum: MAX_SIZE,
      default: DEFAULT_SIZE,
      description: 'Grupos por página',
    }),
    ...FormatoQuery,
  },
  { additionalProperties: false },
)

const Percent = Nullable(Type.Number({ description: 'Porcentagem, duas casas; nula sem denominador' }))
const Days = Nullable(Type.Number({ description: 'Dias' }))

const Completude = Type.Object(
  {
    campo: OneOf(CAMPOS_DA_COMPLETUDE),
    preenchidos: Type.Integer({ description: '`ignorado` não conta' }),
    de: Type.Integer({ description: 'Fichas em que o campo se pergunta' }),
    pct: Percent,
    faixa: Nullable(OneOf(FAIXAS)),
  },
  { title: 'CompletudeDoCampo' },
)

const Oportunidade = Type.Object(
  {
    n: Type.Integer({ description: 'Fichas com as duas datas' }),
    p25: Days,
    mediana: Days,
    p75: Days,
    p90: Days,
    no_prazo: Type.Integer(),
    de: Type.Integer({ description: 'Denominador de `pct`' }),
    pct: Percent,
  },
  { title: 'Oportunidade' },
)

const Inconsistencia = Type.Object(
  {
    codigo: OneOf(INCONSISTENCIAS),
    total: Nullable(
      Type.Integer({
        description:
          'Fichas; pares em `possivel_duplicado`, nulo para contas que não podem identificar pacientes',
      }),
    ),
  },
  { title: 'Inconsistencia' },
)

const numeros = {
  casos: Type.Integer(),
  completude: Type.Array(Completude),
  oportunidade: Type.Object(
    { notificacao: Oportunidade, digitacao: Oportunidade, encerramento: Oportunidade, obito: Oportunidade },
    {
      title: 'Oportunidades',
      description: [
        'Dias do início dos sintomas à notificação (no prazo: até 7), da notificação à digitação (até 7), da notificação ao',
        'encerramento (no prazo do agravo, entre as fichas em que ele venceu) e do óbito pelo agravo à notificação (até 1)',
      ].join(' '),
    },
  ),
  encerrado_automatico: Type.Integer({
    description: 'Inconclusivos encerrados no 61º dia pelo SINAN, sem investigação',
  }),
  inconsistencias: Type.Array(Inconsistencia),
}

const Grupo = Type.Object(
  {
    codigo: Nullable(Type.String({ description: 'UF, cinco ou sete dígitos, CNES; nulo: desconhecido' })),
    nome: Nullable(Type.String({ description: 'Nulo para unidades' })),
    estado: Nullable(Type.String()),
    ...numeros,
  },
  { title: 'QualidadeDoGrupo' },
)

const Paging = ListOf('grupos', Grupo, 'GruposDeQualidade').properties

export const QualidadeResposta = Type.Object(
  {
    lugar: LugarResposta,
    parcial: Type.Boolean({ description: 'Parte do lugar está fora do território da conta e não conta' }),
    tipo_agravo: Nullable(OneOf(TIPOS_AGRAVO)),
    periodo: Type.Object({ data_inicio: DateText, data_fim: DateText }),
    agrupar_por: Nullable(OneOf(DIVISOES)),
    ...numeros,
    ...Paging,
    total: Type.Integer({ description: 'Número de grupos' }),
    calculado_em: DateTime,
    dados_ate: Nullable(
      Type.String({ format: 'date-time', description: 'Última mudança de um caso nos estados do lugar' }),
    ),
  },
  { title: 'Qualidade' },
)

export function fromQualidade(query: Static<typeof QualidadeQuery>): QualidadePedida {
  const { tipo_agravo, data_inicio, data_fim, agrupar_por, page, size } = query
  const { estado, regiao_saude, municipio } = query
  return {
    ...{ estado, regiao_saude, municipio, page, size },
    tipo_agravo: tipo_agravo ?? null,
    data_inicio: data_inicio ?? null,
    data_fim: data_fim ?? null,
    agrupar_por: agrupar_por ?? null,
  }
}

export function toQualidade(
  { tipo_agravo, agrupar_por }: QualidadePedida,
  { lugar, parcial, data_inicio, data_fim, grupos, ...numeros }: QualidadeDoLugar,
) {
  return {
    lugar: toLugar(lugar),
    parcial,
    tipo_agravo,
    periodo: { data_inicio, data_fim },
    agrupar_por,
    ...numeros,
    grupos: grupos.items,
  } as Omit<Static<typeof QualidadeResposta>, 'calculado_em' | Exclude<keyof typeof Paging, 'grupos'>>
}

/** One line a group, or one of the whole: shares of fields, own ones of the disease behind the others, delays, inconsistencies. */
export const colunasDaQualidade = ({ completude }: Pick<QualidadeDoLugar, 'completude'>): string[] => [
  'codigo',
  'nome',
  'estado',
  'casos',
  ...COMPLETUDE.map(({ campo }) => `completude.${campo}`),
  ...completude.filter(isProprio).map(({ campo }) => `completude.${campo}`),
  ...MEDIDAS.flatMap((medida) =>
    ['n', 'p25', 'mediana', 'p75', 'p90', 'no_prazo', 'de', 'pct'].map(
      (name) => `oportunidade.${medida}.${name}`,
    ),
  ),
  'encerrado_automatico',
  ...INCONSISTENCIAS.map((codigo) => `inconsistencias.${codigo}`),
]

/** Group of a case that has the fields of a disease. */
const GRUPO = 'dados_especificos'
const isProprio = ({ campo }: { campo: string }) => campo.startsWith(`${GRUPO}.`)

export function toLinhas({ lugar, grupos, ...whole }: QualidadeDoLugar, grouped: boolean): object[] {
  const { codigo, nome, estado } = lugar
  const rows = grouped ? grupos.items : [{ codigo, nome, estado, ...whole }]
  return rows.map(({ completude, inconsistencias, ...row }) => ({
    ...row,
    completude: {
      ...Object.fromEntries(completude.map(({ campo, pct }) => [campo, pct])),
      [GRUPO]: Object.fromEntries(
        completude.filter(isProprio).map(({ campo, pct }) => [campo.slice(GRUPO.length + 1), pct]),
      ),
    },
    inconsistencias: Object.fromEntries(inconsistencias.map(({ codigo, total }) => [codigo, total])),
  }))
}

const Pendencia = Type.Object(
  {
    codigo: OneOf(PENDENCIAS),
    desde: described(
      'Notificação; em `obito_a_investigar` e `obito_sem_investigacao`, o óbito, se conhecido',
      DateText,
    ),
    prazo: described('Último dia para encerrar; só em `a_encerrar` e `atrasado`', Nullable(DateText)),
    dias: Nullable(Type.Integer({ description: 'Hoje menos `prazo`' })),
  },
  { title: 'Pendencia' },
)

const CasoPendente = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      ...(CasoResumo as unknown as { properties: Record<string, ReturnType<typeof Type.Unsafe>> }).properties,
      pendencias: Type.Array(Pendencia),
    },
    { title: 'CasoPendente' },
  ),
)
export const ListaDePendencias = ListOf('items', CasoPendente, 'ListaDePendencias')
export const PendenciasQuery = Type.Object(FormatoQuery)

export const toCasoPendente = ({ itens, ...caso }: CasoComPendencias, municipios: Municipios) => ({
  ...toResumo(caso, municipios),
  pendencias: itens,
})

/** One line for each thing to do. */
export const COLUNAS_DAS_PENDENCIAS = [
  ...['id', 'tipo_agravo', 'numero_notificacao', 'data_notificacao', 'status', 'classificacao_final'],
  ...['endereco.estado_residencia', 'endereco.municipio_residencia'],
  ...['pendencia.codigo', 'pendencia.desde', 'pendencia.prazo', 'pendencia.dias'],
]

export const toLinhasDePendencias = (casos: ReturnType<typeof toCasoPendente>[]): object[] =>
  casos.flatMap(({ pendencias, ...caso }) => pendencias.map((pendencia) => ({ ...caso, pendencia })))

const ResumoDaPendencia = Type.Object(
  {
    codigo: OneOf(PENDENCIAS),
    municipio: Nullable(Type.String({ description: 'IBGE, sete dígitos; nulo: desconhecido' })),
    municipio_nome: Nullable(Type.String()),
    estado: Nullable(Type.String({ description: 'UF' })),
    total: Type.Integer({ description: 'Casos' }),
  },
  { title: 'ResumoDaPendencia' },
)
export const ListaDeResumos = Type.Object(
  {
    ...ListOf('items', ResumoDaPendencia, '').properties,
    por_codigo: Type.Record(Type.String(), Type.Integer(), {
      description: 'Casos de cada código, de todas as páginas juntas',
    }),
  },
  { title: 'ResumoDasPendencias' },
)
export const COLUNAS_DO_RESUMO = ['codigo', 'municipio', 'municipio_nome', 'estado', 'total']

export function toResumoDaPendencia({ codigo, municipio, total }: ResumoDePendencia, municipios: Municipios) {
  const place = municipio === null ? null : municipios.byCodigo(municipio)
  return {
    codigo,
    municipio: municipio === null ? null : String(municipio),
    municipio_nome: place?.nome ?? null,
    estado: (place?.uf as Uf | undefined) ?? null,
    total,
  }
}
