import { CONJUNTOS, type Conjunto } from '../../domain/casos/counters/semanas.ts'
import {
  CRITERIOS_EPIDEMICOS,
  type DiagramaPedido,
  JANELAS,
  METODOS_DO_DIAGRAMA,
  QUALIDADES_DO_DIAGRAMA,
} from '../../domain/epidemiologia/base-do-diagrama.ts'
import { ZONAS_DO_DIAGRAMA } from '../../domain/epidemiologia/diagrama.ts'
import type { LinhaDoDiagrama, RespostaDoDiagrama } from '../../domain/epidemiologia/epidemiologia.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import { DEFAULT_SIZE, MAX_PAGE, MAX_SIZE } from '../../http/paging.ts'
import { described, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { EpidemiologiaQuery, headFields, Rate, SemanaFields, toHead } from './epidemiologia.shapes.ts'
import { LugarResposta, toLugar } from './territorios.shapes.ts'

const Conjuntos = OneOf(Object.keys(CONJUNTOS) as Conjunto[])

export const DiagramaQuery = Type.Object(
  {
    ...EpidemiologiaQuery,
    ano: Type.Optional(
      Type.Integer({ minimum: 1970, maximum: 2100, description: 'Ano em análise; o atual se ausente' }),
    ),
    metodo: OneOf(METODOS_DO_DIAGRAMA, { default: 'media_movel' }),
    anos: Type.Integer({ minimum: 3, maximum: 15, default: 10, description: 'Anos anteriores candidatos' }),
    janela: Type.Optional(
      Type.Unsafe<number>({
        type: 'integer',
        enum: [...JANELAS],
        description: 'Semanas da média móvel; 5 se ausente',
      }),
    ),
    desvios: Type.Optional(
      Type.Number({ minimum: 1, maximum: 3, description: 'Desvios padrão da média móvel; 2 se ausente' }),
    ),
    epidemicos: OneOf(CRITERIOS_EPIDEMICOS, {
      default: 'dobro_mediana',
      description: 'Anos epidêmicos, que ficam fora da base',
    }),
    anos_excluidos: Type.Optional(
      Type.String({
        pattern: '^\\d{4}(,\\d{4}){0,14}$',
        'x-format': 'anos',
        description: 'Anos fora da base, entre vírgulas, em vez da escolha automática',
        examples: ['2016,2019'],
      }),
    ),
    casos_ano: Type.Optional(
      described('Casos do ano em análise; como `casos` se ausente, que vale para a base', Conjuntos),
    ),
    resumo: Type.Boolean({ default: false, description: 'Uma linha por lugar, em páginas; com `nivel`' }),
    nivel: Type.Optional(OneOf(['municipio'], { description: 'Os lugares do resumo' })),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, description: 'Página do resumo' })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SIZE, description: 'Linhas por página' })),
  },
  { additionalProperties: false },
)
type Query = Static<typeof DiagramaQuery>

const Zona = Nullable(OneOf(ZONAS_DO_DIAGRAMA, { description: 'Nula sem base, população ou observação' }))
const Qualidade = OneOf(QUALIDADES_DO_DIAGRAMA, {
  description: 'Base de menos de três anos, de três ou quatro, de cinco ou mais',
})
const Limit = Type.Optional(Nullable(Type.Number()))

const SemanaDoDiagrama = Type.Object(
  {
    ...SemanaFields,
    n: Type.Integer({ description: 'Semanas da base que entram nos limites' }),
    media: Limit,
    desvio: Limit,
    limite_inferior: Limit,
    limite_superior: Limit,
    q1: Limit,
    mediana: Limit,
    q3: Limit,
    limite_superior_casos: Nullable(Type.Integer({ description: 'O maior número de casos ainda esperado' })),
    casos: Nullable(Type.Integer({ description: 'Nulo depois da semana atual' })),
    incidencia: Rate,
    estimados: Nullable(Type.Number({ description: 'Casos esperados das últimas semanas' })),
    zona: Zona,
  },
  { title: 'SemanaDoDiagrama' },
)

const Diagrama = Type.Object(
  {
    ...headFields,
    casos_ano: Conjuntos,
    ano: Type.Integer(),
    metodo: OneOf(METODOS_DO_DIAGRAMA),
    janela: Nullable(Type.Integer()),
    desvios: Nullable(Type.Number()),
    qualidade: Qualidade,
    anos_base: Type.Array(Type.Integer()),
    anos_excluidos: Type.Array(
      Type.Object({
        ano: Type.Integer(),
        incidencia: Rate,
        motivo: OneOf(['dobro_mediana', 'alta_incidencia', 'pedido']),
      }),
    ),
    mediana_anual: Rate,
    semanas: Type.Array(SemanaDoDiagrama),
    semanas_acima: Type.Integer(),
    consecutivas_acima: Type.Integer({ description: 'Contadas da última semana encerrada para trás' }),
    primeira_acima: Nullable(Type.String()),
  },
  { title: 'DiagramaDeControle' },
)

const Linha = Type.Object(
  {
    lugar: LugarResposta,
    qualidade: Qualidade,
    semanas_acima: Type.Integer(),
    consecutivas_acima: Type.Integer(),
    zona: Zona,
  },
  { title: 'LinhaDoDiagrama' },
)

/** One diagram, or with `resumo` a page of lines. */
export const DiagramaResposta = Type.Union([Diagrama, ListOf('items', Linha, 'ListaDeDiagramas')])

const BEFORE_LIMITS = ['semana', 'inicio', 'fim', 'n']
const AFTER_LIMITS = ['limite_superior_casos', 'casos', 'incidencia', 'estimados', 'zona']
const LIMITS: Record<Query['metodo'], string[]> = {
  media_movel: ['media', 'desvio', 'limite_inferior', 'limite_superior'],
  quartis: ['q1', 'mediana', 'q3'],
}
export const colunasDoDiagrama = ({ metodo }: Query): string[] => [
  ...BEFORE_LIMITS,
  ...LIMITS[metodo],
  ...AFTER_LIMITS,
]
export const COLUNAS_DO_RESUMO = [
  ...['lugar.nivel', 'lugar.codigo', 'lugar.nome', 'lugar.estado'],
  ...['qualidade', 'semanas_acima', 'consecutivas_acima', 'zona'],
]

/** Options of the diagram and the page of the summary; parameters that do not go together are refused. */
export function fromDiagrama(query: Query): {
  opcoes: Omit<DiagramaPedido, 'ano'> & { ano: number | null }
  pagina: { page: number; size: number } | null
} {
  const problems = [...problemsOfMethod(query), ...problemsOfResumo(query)]
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  const { ano, metodo, anos, janela = 5, desvios = 2, epidemicos, anos_excluidos, casos, casos_ano } = query
  return {
    opcoes: {
      ano: ano ?? null,
      metodo,
      anos,
      janela,
      desvios,
      epidemicos,
      anosExcluidos: anos_excluidos?.split(',').map(Number) ?? null,
      casos,
      casosAno: casos_ano ?? casos,
    },
    pagina: query.resumo ? { page: query.page ?? 1, size: query.size ?? DEFAULT_SIZE } : null,
  }
}

const inconsistent = (name: string, field: string) => problem('query', [name], 'INCONSISTENT', { field })

function problemsOfMethod({ metodo, janela, desvios, casos_ano, semana_conhecida }: Query): Problem[] {
  const isQuartis = metodo === 'quartis'
  return [
    ...(isQuartis && janela !== undefined ? [inconsistent('janela', 'metodo')] : []),
    ...(isQuartis && desvios !== undefined ? [inconsistent('desvios', 'metodo')] : []),
    ...(casos_ano === 'confirmados' && semana_conhecida !== undefined
      ? [inconsistent('semana_conhecida', 'casos_ano')]
      : []),
  ]
}

function problemsOfResumo({ resumo, nivel, page, size, semana_conhecida }: Query): Problem[] {
  if (!resumo)
    return Object.entries({ nivel, page, size })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => inconsistent(name, 'resumo'))
  return [
    ...(nivel === undefined ? [problem('query', ['nivel'], 'REQUIRED', {})] : []),
    ...(semana_conhecida === undefined ? [] : [inconsistent('semana_conhecida', 'resumo')]),
  ]
}

export function toDiagrama(query: Query, resposta: RespostaDoDiagrama, now: Date): Static<typeof Diagrama> {
  const { lugar, parcial, sem_digitacao, dados_ate, ano, ...diagrama } = resposta
  const isQuartis = query.metodo === 'quartis'
  return {
    ...toHead(query, { lugar, parcial, sem_digitacao, dados_ate }, now),
    casos_ano: query.casos_ano ?? query.casos,
    ano,
    metodo: query.metodo,
    janela: isQuartis ? null : (query.janela ?? 5),
    desvios: isQuartis ? null : (query.desvios ?? 2),
    ...diagrama,
  }
}

export function toLinha({ lugar, ...situacao }: LinhaDoDiagrama): Static<typeof Linha> {
  return { lugar: toLugar(lugar), ...situacao }
}
