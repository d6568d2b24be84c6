import { semanaAt } from '../../brasil/epi-week.ts'
import { CONJUNTOS, type Conjunto } from '../../domain/casos/counters/semanas.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import type { PeriodoEmSemanas } from '../../domain/casos/statistics/periodo.ts'
import type { RespostaDaCurva, RespostaDoRt } from '../../domain/epidemiologia/epidemiologia.ts'
import type { PedidoEpidemiologico, RespostaEpidemiologica } from '../../domain/epidemiologia/pedido.ts'
import type { Suprimida } from '../../domain/epidemiologia/suprimida.ts'
import { DateTime, described, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, type TSchema, Type } from '../../http/type.ts'
import { FormatoQuery } from './tabela-csv.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

export const Semana = (description: string) =>
  Type.String({ pattern: '^\\d{6}$', 'x-format': 'semana', description, examples: ['202415'] })

const Conjuntos = OneOf(Object.keys(CONJUNTOS) as Conjunto[], {
  default: 'provaveis',
  description:
    'Casos que contam: `provaveis`, todos menos os descartados; `notificados`, todos; `confirmados`',
})

/** Query of every route of weekly epidemiology. */
export const EpidemiologiaQuery = {
  tipo_agravo: described('Um agravo por vez', OneOf(TIPOS_AGRAVO)),
  ...LugarQuery,
  casos: Conjuntos,
  semana_conhecida: Type.Optional(
    Semana('Conta só o que foi digitado até o sábado desta semana; não com `casos=confirmados`'),
  ),
  ...FormatoQuery,
}

const PeriodoQuery = {
  semana_inicio: Type.Optional(Semana('Primeira semana de início de sintomas; 52 semanas se ausente')),
  semana_fim: Type.Optional(Semana('Última semana; a atual se ausente')),
}

/** Query of the routes whose answers may be passed on. */
export const SuprimirQuery = {
  suprimir: Type.Boolean({
    default: false,
    description: 'Números pequenos vêm nulos',
  }),
}

export const CurvaQuery = Type.Object(
  {
    ...EpidemiologiaQuery,
    ...PeriodoQuery,
    ano: Type.Optional(
      Type.Integer({ minimum: 1970, maximum: 9999, description: 'O ano inteiro, em vez das semanas' }),
    ),
    comparar_anos: Type.Integer({
      minimum: 0,
      maximum: 10,
      default: 3,
      description: 'Quantos anos anteriores comparar',
    }),
    ...SuprimirQuery,
  },
  { additionalProperties: false },
)

export const RtQuery = Type.Object(
  {
    ...EpidemiologiaQuery,
    ...PeriodoQuery,
    janela: Type.Integer({ minimum: 1, maximum: 6, default: 3, description: 'Semanas da janela' }),
    intervalo_geracao_media: Type.Optional(
      Type.Number({
        minimum: 1.5,
        maximum: 6,
        description: 'Semanas; sem ela, a da definição do agravo (3)',
      }),
    ),
    intervalo_geracao_desvio: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 3,
        description: 'Semanas; sem ele, o da definição do agravo (1)',
      }),
    ),
    nowcast: Type.Boolean({
      default: true,
      description: 'Semanas incompletas entram com a estimativa; não com `casos=confirmados`',
    }),
  },
  { additionalProperties: false },
)

export const Rate = Nullable(
  Type.Number({ description: 'Por 100 mil residentes; nulo: população desconhecida' }),
)
const Count = Type.Integer()
/** Hidden where the request asks for that. */
const Shown = Nullable(Count)
/** Unknown in an answer as of an earlier time. */
const Known = Nullable(Type.Integer({ description: 'Nulo com `semana_conhecida`' }))
const DateText = Type.String({ format: 'date' })

export const SemanaFields = {
  semana: Type.String({ description: '`AAAASS`' }),
  inicio: DateText,
  fim: DateText,
}

/** Head of every answer. */
export const headFields = {
  tipo_agravo: OneOf(TIPOS_AGRAVO),
  lugar: LugarResposta,
  parcial: Type.Boolean({
    description: 'Parte do lugar está fora do território da conta e não entra em casos nem em população',
  }),
  casos: OneOf(Object.keys(CONJUNTOS) as Conjunto[]),
  reconstruido: Type.Optional(Type.Literal(true, { description: 'Com `semana_conhecida`' })),
  sem_digitacao: Type.Optional(
    Type.Integer({ description: 'Casos das semanas lidas sem data de digitação, fora da resposta' }),
  ),
  calculado_em: DateTime,
  dados_ate: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Última mudança de um caso do agravo nos estados do lugar',
    }),
  ),
}

const Periodo = Type.Object(
  { semana_inicio: Type.String(), semana_fim: Type.String(), inicio: DateText, fim: DateText },
  { title: 'PeriodoEmSemanas' },
)

const SemanaDaCurva = Type.Object(
  {
    ...SemanaFields,
    notificados: Shown,
    provaveis: Shown,
    confirmados: Known,
    descartados: Shown,
    inconclusivos: Known,
    em_investigacao: Known,
    hospitalizados: Known,
    obitos: Known,
    casos: Nullable(Type.Integer({ description: 'Os que `casos` pede; nulo: suprimidos' })),
    incidencia: Rate,
    acumulado: Nullable(Type.Integer({ description: 'Desde a semana 1 do ano' })),
    acumulado_incidencia: Rate,
    completude_esperada: Nullable(
      Type.Number({ description: 'Parte dos casos que já deve ser conhecida; nulo: desconhecida' }),
    ),
    encerrada: Type.Boolean({ description: 'O sábado passou' }),
    suprimido: Type.Optional(Type.Boolean()),
  },
  { title: 'SemanaDaCurva' },
)

export const CurvaResposta = Type.Object(
  {
    ...headFields,
    periodo: Periodo,
    semanas: Type.Array(SemanaDaCurva),
    anos: Type.Array(
      Type.Object(
        {
          ano: Count,
          semanas: Type.Integer({ description: '52 ou 53' }),
          populacao: Nullable(Count),
          populacao_ano: Nullable(Count),
          casos: Nullable(Type.Integer({ description: 'Do ano inteiro' })),
          incidencia: Rate,
        },
        { title: 'AnoDaCurva' },
      ),
    ),
    comparacao: Type.Array(
      Type.Object(
        {
          ano: Count,
          ate_semana: Type.String({ description: 'As mesmas semanas, a partir da primeira' }),
          casos: Shown,
          incidencia: Rate,
          variacao_pct: Nullable(Type.Number({ description: 'Nulo onde aquele ano não teve casos' })),
        },
        { title: 'AnoComparado' },
      ),
    ),
    total: Nullable(
      Type.Integer({ description: 'Casos notificados, quaisquer que sejam `casos` e período' }),
    ),
    sem_data: Nullable(Type.Integer({ description: 'Deles, sem data de início de sintomas' })),
    inicio_implausivel: Nullable(
      Type.Integer({ description: 'Deles, com início mais de 365 dias antes da notificação' }),
    ),
  },
  { title: 'CurvaEpidemica' },
)

const Estimate = Nullable(Type.Number({ description: 'Nulo: nenhum caso antes' }))
const SemanaDoRt = Type.Object(
  {
    ...SemanaFields,
    casos: Count,
    casos_janela: Count,
    rt: Estimate,
    mediana: Estimate,
    inferior: Nullable(Type.Number({ description: '2,5 %' })),
    superior: Nullable(Type.Number({ description: '97,5 %' })),
    p_maior_1: Type.Number({ description: 'Probabilidade de Rt acima de 1' }),
    confiavel: Type.Boolean({ description: 'A janela tem 12 casos ou mais' }),
    estimado: Type.Boolean({ description: 'A semana entra com a estimativa do `nowcast`' }),
  },
  { title: 'SemanaDoRt' },
)

export const RtResposta = Type.Object(
  {
    ...headFields,
    periodo: Periodo,
    janela: Count,
    intervalo_geracao_media: Type.Number(),
    intervalo_geracao_desvio: Type.Number(),
    semanas: Type.Array(SemanaDoRt),
  },
  { title: 'NumeroDeReproducao' },
)

const namesOf = (schema: TSchema): string[] =>
  Object.keys((schema as { properties?: object }).properties ?? {})
export const COLUNAS_DA_CURVA = namesOf(SemanaDaCurva).filter((name) => name !== 'suprimido')
export const COLUNAS_DO_RT = namesOf(SemanaDoRt)

/** As it was counted, or with small numbers hidden. */
export type CurvaMostrada = Suprimida<RespostaDaCurva>

type Head = Pick<PedidoEpidemiologico, 'tipo_agravo' | 'casos'> & { suprimir?: boolean }

export function toHead(
  { tipo_agravo, casos }: Head,
  { lugar, parcial, sem_digitacao, dados_ate }: RespostaEpidemiologica,
  now: Date,
) {
  return {
    tipo_agravo,
    lugar: toLugar(lugar),
    parcial,
    casos,
    ...(sem_digitacao !== null && { reconstruido: true as const, sem_digitacao }),
    calculado_em: now.toISOString(),
    dados_ate,
  }
}

function toPeriodo({ first, last }: PeriodoEmSemanas): Static<typeof Periodo> {
  const [begin, end] = [semanaAt(first), semanaAt(last)]
  return { semana_inicio: begin.codigo, semana_fim: end.codigo, inicio: begin.inicio, fim: end.fim }
}

export function toCurva(head: Head, resposta: CurvaMostrada, now: Date): Static<typeof CurvaResposta> {
  const { suprimir = false } = head
  const { periodo, semanas, anos, comparacao, contados } = resposta
  const { total, sem_data, inicio_implausivel } = contados
  return {
    ...toHead(head, resposta, now),
    periodo: toPeriodo(periodo),
    semanas: semanas.map((semana) => ({
      ...semana,
      ...(suprimir && { suprimido: [semana.casos, semana.notificados].includes(null) }),
    })),
    anos,
    comparacao,
    total,
    sem_data,
    inicio_implausivel,
  }
}

export function toRt(
  query: Static<typeof RtQuery>,
  resposta: RespostaDoRt,
  now: Date,
): Static<typeof RtResposta> {
  return {
    ...toHead(query, resposta, now),
    periodo: toPeriodo(resposta.periodo),
    janela: query.janela,
    intervalo_geracao_media: resposta.media,
    intervalo_geracao_desvio: resposta.desvio,
    semanas: resposta.semanas,
  }
}
