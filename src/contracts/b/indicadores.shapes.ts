import { SOROTIPOS, type TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import type { RespostaDosIndicadores } from '../../domain/epidemiologia/indicadores-do-lugar.ts'
import type { Suprimida } from '../../domain/epidemiologia/suprimida.ts'
import { Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { EpidemiologiaQuery, headFields, Rate, SemanaFields, SuprimirQuery } from './epidemiologia.shapes.ts'
import type { TabelaCsv } from './tabela-csv.ts'
import { toLugar } from './territorios.shapes.ts'

const Dia = (description: string) => Type.Optional(Type.String({ format: 'date', description }))
const Semana = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{6}$', 'x-format': 'semana', description, examples: ['202415'] }))

const { casos: _casos, semana_conhecida: _semana, ...comum } = EpidemiologiaQuery

export const IndicadoresQuery = Type.Object(
  {
    ...comum,
    data_inicio: Dia('Primeiro dia de notificação; sem período, todos os casos'),
    data_fim: Dia('Último dia de notificação'),
    semana_inicio: Semana(
      'Primeira semana de início de sintomas, em vez dos dias; 52 semanas se só `semana_fim` vem',
    ),
    semana_fim: Semana('Última semana; a atual se só `semana_inicio` vem'),
    serie: Type.Boolean({
      default: false,
      description: 'Acrescenta os sorotipos por semana; não com `suprimir`',
    }),
    ...SuprimirQuery,
  },
  { additionalProperties: false },
)
type Query = Static<typeof IndicadoresQuery>

/** Null: hidden, where the request asks for that. */
const Count = Nullable(Type.Integer())
const Limit = Nullable(Type.Number({ description: 'Intervalo de Wilson de 95 %, porcentagem' }))
const proporcao = {
  pct: Nullable(Type.Number({ description: 'Porcentagem; nula sem casos' })),
  inferior: Limit,
  superior: Limit,
}
const letalidade = {
  obitos: Nullable(Type.Integer({ description: 'Pelo agravo, entre `de`; nulo: suprimido' })),
  de: Count,
  ...proporcao,
}

const Letalidade = Type.Object(
  {
    ...letalidade,
    se_confirmados: Type.Object(letalidade, {
      description: 'Se todos os óbitos em investigação fossem confirmados',
    }),
  },
  { title: 'Letalidade' },
)

const Celula = Type.Object(
  {
    sexo: OneOf(['M', 'F']),
    faixa: Type.String({ description: 'Anos completos' }),
    casos: Nullable(Type.Integer({ description: 'Prováveis' })),
    populacao: Count,
    incidencia: Rate,
  },
  { title: 'CelulaDaPiramide' },
)

const PorSorotipo = Object.fromEntries(SOROTIPOS.map((one) => [one, Count])) as Record<
  (typeof SOROTIPOS)[number],
  typeof Count
>
const SemanaDosSorotipos = Type.Object({ ...SemanaFields, ...PorSorotipo }, { title: 'SemanaDosSorotipos' })

const { casos: _casosHead, reconstruido: _r, sem_digitacao: _s, ...head } = headFields
const NullableDate = Nullable(Type.String({ format: 'date' }))
const Standardised = Nullable(
  Type.Number({ description: 'Intervalo gama de 95 %; nulo com menos de 20 casos' }),
)

export const IndicadoresResposta = Type.Object(
  {
    ...head,
    periodo: Type.Object(
      {
        data_base: OneOf(['notificacao', 'sintomas']),
        inicio: NullableDate,
        fim: NullableDate,
        semana_inicio: Nullable(Type.String()),
        semana_fim: Nullable(Type.String()),
      },
      { title: 'PeriodoDosIndicadores', description: 'Nulo: em aberto' },
    ),
    populacao: Nullable(Type.Integer({ description: 'Residentes, no ano em que o período termina' })),
    populacao_ano: Count,
    notificados: Count,
    provaveis: Count,
    confirmados: Count,
    obitos: Nullable(Type.Integer({ description: 'Pelo agravo, entre os notificados' })),
    obitos_em_investigacao: Count,
    letalidade: Type.Object({ confirmados: Letalidade, provaveis: Letalidade, graves: Letalidade }),
    hospitalizacao: Type.Object(
      {
        hospitalizados: Count,
        informados: Nullable(Type.Integer({ description: 'Notificados com resposta, sim ou não' })),
        sem_informacao: Count,
        ...proporcao,
      },
      { title: 'Hospitalizacao' },
    ),
    piramide: Type.Object({
      populacao_ano: Nullable(Type.Integer({ description: 'O ano da estrutura por sexo e idade' })),
      celulas: Type.Array(Celula),
      sem_sexo_ou_idade: Nullable(Type.Integer({ description: 'Com as células, soma `provaveis`' })),
    }),
    sorotipos: Type.Object({
      ...PorSorotipo,
      predominante: Nullable(
        OneOf(SOROTIPOS, { description: 'Mais da metade de cinco amostras ou mais; nulo: nenhum' }),
      ),
      serie: Nullable(
        Type.Array(SemanaDosSorotipos, {
          description: 'Semanas de início de sintomas com amostras; nula sem `serie`',
        }),
      ),
      serie_sem_data: Nullable(Type.Integer({ description: 'Amostras fora das semanas' })),
    }),
    padronizada: Type.Object(
      { incidencia: Rate, inferior: Standardised, superior: Standardised },
      {
        description:
          'Incidência de casos prováveis padronizada por sexo e idade, pela população do Brasil em 2022',
      },
    ),
  },
  { title: 'Indicadores' },
)

export function toIndicadores(
  { tipo_agravo }: { tipo_agravo: (typeof TIPOS_AGRAVO)[number] },
  resposta: Suprimida<RespostaDosIndicadores>,
  now: Date,
): Static<typeof IndicadoresResposta> {
  const { lugar, parcial, dados_ate, periodo, estrutura_ano, piramide, ...indicadores } = resposta
  return {
    tipo_agravo,
    lugar: toLugar(lugar),
    parcial,
    calculado_em: now.toISOString(),
    dados_ate,
    periodo,
    ...indicadores,
    piramide: { populacao_ano: estrutura_ano, ...piramide },
  }
}

const COLUNAS_DA_PIRAMIDE = ['sexo', 'faixa', 'casos', 'populacao', 'incidencia']
const COLUNAS_DOS_SOROTIPOS = ['semana', 'inicio', 'fim', ...SOROTIPOS]

/** Weeks of serotypes where they were asked for, else the pyramid; a last line without sex and age has the cases that lack either. */
export function tabelaDosIndicadores(
  { serie }: Query,
  { piramide, sorotipos }: Suprimida<RespostaDosIndicadores>,
): TabelaCsv {
  if (serie) return { nome: 'sorotipos', colunas: COLUNAS_DOS_SOROTIPOS, linhas: sorotipos.serie ?? [] }
  const unknown = { casos: piramide.sem_sexo_ou_idade }
  return { nome: 'piramide', colunas: COLUNAS_DA_PIRAMIDE, linhas: [...piramide.celulas, unknown] }
}
