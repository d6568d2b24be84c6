import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import { INTERVALOS, type Intervalo } from '../../domain/epidemiologia/nowcast.ts'
import type {
  NowcastPedido,
  RespostaDoNowcast,
  RespostaDosAtrasos,
} from '../../domain/epidemiologia/nowcast-do-lugar.ts'
import { Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { EpidemiologiaQuery, headFields, Rate, Semana, SemanaFields, toHead } from './epidemiologia.shapes.ts'

const COUNTED = ['notificados', 'provaveis'] as const
const PERCENTS = Object.keys(INTERVALOS).map(Number) as Intervalo[]

/** Delays of confirmed cases are not counted. */
const Conjuntos = (preset: (typeof COUNTED)[number]) =>
  OneOf(COUNTED, { default: preset, description: '`provaveis`: todos menos os descartados' })

export const NowcastQuery = Type.Object(
  {
    ...EpidemiologiaQuery,
    casos: Conjuntos('notificados'),
    semana: Type.Optional(Semana('Última semana, encerrada; a última encerrada se ausente')),
    semanas: Type.Integer({
      minimum: 1,
      maximum: 12,
      default: 10,
      description: 'Quantas, da última para trás',
    }),
    intervalos: Type.String({
      default: PERCENTS.join(),
      pattern: `^(?:${PERCENTS.join('|')})(?:,(?:${PERCENTS.join('|')})){0,2}$`,
      description: 'Intervalos em %, separados por vírgula',
    }),
    avaliar: Type.Boolean({
      default: false,
      description: 'Compara estimativas de 15 a 26 semanas atrás com hoje',
    }),
  },
  { additionalProperties: false },
)

const Limit = Type.Optional(Nullable(Type.Integer()))
const SemanaDoNowcast = Type.Object(
  {
    ...SemanaFields,
    conhecidos: Type.Integer({ description: 'Casos já digitados' }),
    estimados: Nullable(Type.Integer({ description: 'Mediana; nunca menos que os conhecidos' })),
    ...Object.fromEntries(
      PERCENTS.flatMap((percent) => [
        [`inferior_${percent}`, Limit],
        [`superior_${percent}`, Limit],
      ]),
    ),
    completude: Nullable(Type.Number({ description: 'Conhecidos sobre estimados' })),
    incidencia_estimada: Rate,
  },
  { title: 'SemanaDoNowcast' },
)

export const NowcastResposta = Type.Object(
  {
    ...headFields,
    tipo_agravo: OneOf(TIPOS_AGRAVO),
    semana: Type.String({ description: 'A última' }),
    metodo: Nullable(
      OneOf(['modelo', 'emprestado'], {
        description: '`emprestado`: com os atrasos do estado, por poucos casos',
      }),
    ),
    disponivel: Type.Boolean(),
    motivo: Nullable(OneOf(['poucos_casos', 'sem_datas_de_digitacao'])),
    duvidoso: Type.Boolean({ description: 'A última semana passa de cinco vezes os casos recentes' }),
    sem_data_de_digitacao: Type.Integer({ description: 'Casos das semanas lidas' }),
    semanas: Type.Array(SemanaDoNowcast),
    parametros: Nullable(
      Type.Object(
        {
          D: Type.Integer({ description: 'Maior atraso, semanas' }),
          meia_vida: Type.Integer({ description: 'Semanas' }),
          ln_tau_a: Type.Number(),
          ln_tau_b: Type.Number(),
          ln_phi: Type.Number(),
        },
        { title: 'ParametrosDoNowcast' },
      ),
    ),
    avaliacao: Type.Optional(
      Type.Object(
        {
          n: Type.Integer({ description: 'Semanas comparadas' }),
          wis: Nullable(Type.Number({ description: 'Escore médio; menor é melhor' })),
          wis_sem_correcao: Nullable(Type.Number()),
          cobertura_50: Nullable(Type.Number()),
          cobertura_95: Nullable(Type.Number()),
        },
        { title: 'AvaliacaoDoNowcast' },
      ),
    ),
  },
  { title: 'Nowcast' },
)

const columnsOf = (schema: { properties: object }) => Object.keys(schema.properties)
export const colunasDoNowcast = ({
  intervalos,
}: Pick<Static<typeof NowcastQuery>, 'intervalos'>): string[] => {
  const chosen = intervalsOf(intervalos)
  return columnsOf(SemanaDoNowcast).filter(
    (name) => !/^(?:inf|sup)erior_/.test(name) || chosen.some((percent) => name.endsWith(`_${percent}`)),
  )
}

const intervalsOf = (text: string): Intervalo[] =>
  PERCENTS.filter((percent) => text.split(',').includes(String(percent)))

export const fromNowcast = (query: Static<typeof NowcastQuery>): NowcastPedido => ({
  ...query,
  intervalos: intervalsOf(query.intervalos),
})

export function toNowcast(
  query: Static<typeof NowcastQuery>,
  resposta: RespostaDoNowcast,
  now: Date,
): Static<typeof NowcastResposta> {
  const { semana, metodo, motivo, duvidoso, sem_data_de_digitacao, semanas, parametros, avaliacao } = resposta
  return {
    ...toHead(query, resposta, now),
    semana,
    metodo,
    disponivel: metodo !== null,
    motivo,
    duvidoso,
    sem_data_de_digitacao,
    semanas,
    parametros,
    ...(avaliacao && { avaliacao }),
  }
}

export const AtrasosQuery = Type.Object(
  {
    ...EpidemiologiaQuery,
    casos: Conjuntos('provaveis'),
    semanas: Type.Integer({
      minimum: 4,
      maximum: 104,
      default: 26,
      description: 'Semanas de início de sintomas',
    }),
  },
  { additionalProperties: false },
)

const Atraso = Type.Object(
  {
    semanas: Type.Integer({ description: 'Do início dos sintomas à digitação' }),
    pct: Type.Number(),
    acumulado_pct: Type.Number(),
  },
  { title: 'AtrasoEmSemanas' },
)
export const COLUNAS_DOS_ATRASOS = columnsOf(Atraso)

export const AtrasosResposta = Type.Object(
  {
    ...headFields,
    semana: Type.String({ description: 'A última encerrada' }),
    distribuicao: Nullable(Type.Array(Atraso)),
    mediana_semanas: Nullable(Type.Integer()),
    p90_semanas: Nullable(Type.Integer()),
    motivo: Nullable(OneOf(['poucos_casos'])),
    sem_data_de_digitacao: Type.Integer(),
    por_semana: Type.Array(
      Type.Object(
        {
          semana: Type.String(),
          conhecidos: Type.Integer(),
          completude: Nullable(Type.Number({ description: 'Esperada hoje' })),
        },
        { title: 'CompletudeDaSemana' },
      ),
    ),
  },
  { title: 'Atrasos' },
)

export function toAtrasos(
  query: Static<typeof AtrasosQuery>,
  resposta: RespostaDosAtrasos,
  now: Date,
): Static<typeof AtrasosResposta> {
  const { lugar: _lugar, parcial: _parcial, dados_ate: _ate, sem_digitacao: _sem, ...found } = resposta
  return { ...toHead(query, resposta, now), ...found }
}
