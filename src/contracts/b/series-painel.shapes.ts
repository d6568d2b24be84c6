import { semanaAt } from '../../brasil/epi-week.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import { METODOS, type RespostaDaCorrelacao } from '../../domain/series/correlacao.ts'
import {
  type ColunaDoPainel,
  MOST_IN_PANEL,
  MOST_LAG,
  type PainelDeSeriesPedido,
  type RespostaDoPainel,
  type SemanaDoPainelDeSeries,
  type ValorNaSemana,
} from '../../domain/series/painel.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import { described, Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { EpidemiologiaQuery, Semana } from './epidemiologia.shapes.ts'
import { CodigoDaSerie } from './series.shapes.ts'
import {
  ConhecidosQuery,
  Count,
  DateText,
  Limiares,
  medida,
  origem,
  toOrigem,
} from './series-valores.shapes.ts'
import { FormatoQuery } from './tabela-csv.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

/** Series beside the cases: the panel and the correlation. */

export const PainelDeSeriesQuery = Type.Object(
  {
    series: Text({ minLength: 2, maxLength: 400, description: `Até ${MOST_IN_PANEL} códigos, com vírgulas` }),
    tipo_agravo: Type.Optional(
      described('Com os casos dele, o que exige `agravos.estatisticas`', OneOf(TIPOS_AGRAVO)),
    ),
    ...LugarQuery,
    casos: EpidemiologiaQuery.casos,
    semana_inicio: Type.Optional(Semana('104 semanas se ausente')),
    semana_fim: Type.Optional(Semana('A atual se ausente')),
    defasagens: Type.Optional(
      Text({ maxLength: 400, description: '`temp_min:8,chuva:12`: semanas que a série anda para a frente' }),
    ),
    indice: Type.Boolean({ default: false, description: 'Também como (x − média) / desvio no período' }),
    ...ConhecidosQuery,
    ...FormatoQuery,
  },
  { additionalProperties: false },
)

export function fromPainel(query: Static<typeof PainelDeSeriesQuery>): PainelDeSeriesPedido {
  const series = query.series.split(',').map((codigo) => codigo.trim())
  return { ...query, series, defasagens: lagsOf(query.defasagens, series) }
}

function lagsOf(text: string | undefined, series: readonly string[]): Map<string, number> {
  const problems: Problem[] = []
  const lags = new Map<string, number>()
  for (const part of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [, codigo = '', weeks = ''] = /^\s*([a-z][a-z0-9_]*):(\d{1,2})\s*$/.exec(part) ?? []
    if (!series.includes(codigo))
      problems.push(problem('query', ['defasagens'], 'UNKNOWN', { ids: [part.slice(0, 60)] }))
    else if (Number(weeks) > MOST_LAG)
      problems.push(problem('query', ['defasagens'], 'TOO_LARGE', { limit: MOST_LAG }))
    else lags.set(codigo, Number(weeks))
  }
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return lags
}

const Periodo = Type.Object(
  { semana_inicio: Type.String(), semana_fim: Type.String(), inicio: DateText, fim: DateText },
  { title: 'PeriodoEmSemanas' },
)
const toPeriodo = ({ first, last }: { first: number; last: number }): Static<typeof Periodo> => {
  const [begin, end] = [semanaAt(first), semanaAt(last)]
  return { semana_inicio: begin.codigo, semana_fim: end.codigo, inicio: begin.inicio, fim: end.fim }
}

const NaSemana = Type.Object(
  {
    ...medida,
    indice: Type.Optional(Nullable(Type.Number())),
    de: Type.Optional(Type.String({ description: 'A semana do valor, onde é outra' })),
    limiares: Limiares,
  },
  { title: 'ValorNaSemana' },
)
const conhecidos = {
  reconstruido: Type.Optional(Type.Literal(true, { description: 'Com `conhecidos_em`' })),
  casos_conhecidos: Type.Optional(
    Type.Object(
      {
        semana: Type.String({ description: 'A última que tinha terminado; `semana_conhecida` da curva' }),
        sem_digitacao: Type.Integer({
          description: 'Casos das semanas lidas sem data de digitação, fora da resposta',
        }),
      },
      { title: 'CasosConhecidos' },
    ),
  ),
}
const toConhecidos = ({
  reconstruido,
  casos_conhecidos,
}: Pick<RespostaDoPainel, 'reconstruido' | 'casos_conhecidos'>) => ({
  ...(reconstruido && { reconstruido: true as const }),
  ...(casos_conhecidos && { casos_conhecidos }),
})

/** A column for each series, by its code, beside those of the cases. */
type SemanaMostrada = SemanaDoPainelDeSeries & { [codigo: string]: unknown }

export const PainelDeSeries = Type.Object(
  {
    lugar: LugarResposta,
    parcial: Type.Boolean(),
    periodo: Periodo,
    series: Type.Array(
      Type.Object(
        { codigo: Type.String(), nome: Type.String(), unidade: Type.String(), defasagem: Count, ...origem },
        { title: 'SerieDoPainel' },
      ),
    ),
    semanas: Type.Array(
      Type.Unsafe<SemanaMostrada>(
        Type.Object(
          {
            semana: Type.String(),
            inicio: DateText,
            fim: DateText,
            casos: Nullable(Count),
            incidencia: Nullable(Type.Number()),
            completude_esperada: Nullable(Type.Number()),
          },
          { title: 'SemanaDoPainelDeSeries', additionalProperties: NaSemana },
        ),
      ),
    ),
    ...conhecidos,
    avisos: Type.Array(Type.String()),
  },
  { title: 'PainelDeSeries' },
)

function toNaSemana(valor: ValorNaSemana): Static<typeof NaSemana> {
  const { cobertura, cobertura_lugar, repetido, indice, de, limiares } = valor
  const shown: Static<typeof NaSemana> = { valor: valor.valor, cobertura, repetido }
  if (indice !== undefined) shown.indice = indice
  if (cobertura_lugar !== null) shown.cobertura_lugar = cobertura_lugar
  if (de !== null) shown.de = de
  if (limiares) shown.limiares = limiares
  return shown
}

function toSemana(
  semana: SemanaDoPainelDeSeries,
  at: number,
  series: readonly ColunaDoPainel[],
): SemanaMostrada {
  const shown: SemanaMostrada = { ...semana }
  for (const { serie, valores } of series) shown[serie.codigo] = toNaSemana(valores[at] as ValorNaSemana)
  return shown
}

export function toPainel(resposta: RespostaDoPainel): Static<typeof PainelDeSeries> {
  const { lugar, parcial, periodo, series, semanas, avisos } = resposta
  return {
    lugar: toLugar(lugar),
    parcial,
    periodo: toPeriodo(periodo),
    series: series.map(({ serie, defasagem }) => ({
      codigo: serie.codigo,
      nome: serie.nome,
      unidade: serie.unidade,
      defasagem,
      ...toOrigem(serie),
    })),
    semanas: semanas.map((semana, i) => toSemana(semana, i, series)),
    ...toConhecidos(resposta),
    avisos,
  }
}

export const colunasDoPainel = ({ series }: Static<typeof PainelDeSeries>): string[] => [
  ...['semana', 'inicio', 'fim', 'casos', 'incidencia', 'completude_esperada'],
  ...series.map(({ codigo }) => `${codigo}.valor`),
]

export const CorrelacaoQuery = Type.Object(
  {
    tipo_agravo: Type.Optional(described('Os casos dele, ou `com`', OneOf(TIPOS_AGRAVO))),
    com: Type.Optional(CodigoDaSerie('Outra série em vez dos casos')),
    ...LugarQuery,
    casos: EpidemiologiaQuery.casos,
    semana_inicio: Type.Optional(Semana('A primeira da série se ausente')),
    semana_fim: Type.Optional(Semana('A última se ausente')),
    defasagem_max: Type.Integer({ minimum: 0, maximum: MOST_LAG, default: 16 }),
    metodo: OneOf(METODOS, { default: 'spearman' }),
    dessazonalizar: Type.Boolean({ default: true, description: 'Tira de cada semana a média do seu número' }),
    incluir_repetidos: Type.Boolean({ default: false }),
    ...ConhecidosQuery,
    ...FormatoQuery,
  },
  { additionalProperties: false },
)
const Limit = Nullable(Type.Number())
const NaDefasagem = Type.Object(
  {
    defasagem: Count,
    n: Type.Integer({ description: 'Semanas com os dois' }),
    r: Limit,
    n_efetivo: Nullable(Type.Number({ description: 'Descontada a autocorrelação' })),
    inferior: Limit,
    superior: Limit,
    motivo: Nullable(OneOf(['poucas_semanas', 'sem_variacao'])),
  },
  { title: 'CorrelacaoNaDefasagem' },
)
export const COLUNAS_DA_CORRELACAO = ['defasagem', 'n', 'r', 'n_efetivo', 'inferior', 'superior', 'motivo']
const Maior = Type.Unsafe<{ defasagem: number; r: number } | null>({
  type: ['object', 'null'],
  properties: { defasagem: { type: 'integer' }, r: { type: 'number' } },
  required: ['defasagem', 'r'],
  description: 'A maior cujo intervalo exclui 0',
})
export const CorrelacaoResposta = Type.Object(
  {
    serie: Type.String(),
    lugar: LugarResposta,
    parcial: Type.Boolean(),
    periodo: Periodo,
    metodo: OneOf(METODOS),
    dessazonalizada: Type.Boolean(),
    ...conhecidos,
    defasagens: Type.Array(NaDefasagem),
    maior: Maior,
    bruta_maior: Maior,
    nota: Type.String(),
    ...origem,
  },
  { title: 'CorrelacaoDaSerie' },
)
const NOTA =
  'Correlação não é causa; com a sazonalidade, quase toda série climática se correlaciona com os casos.'

export function toCorrelacao(
  { metodo, dessazonalizar }: Static<typeof CorrelacaoQuery>,
  resposta: RespostaDaCorrelacao,
): Static<typeof CorrelacaoResposta> {
  const { serie, lugar, parcial, periodo, defasagens, maior, bruta_maior } = resposta
  return {
    serie: serie.codigo,
    lugar: toLugar(lugar),
    parcial,
    periodo: toPeriodo(periodo),
    metodo,
    dessazonalizada: dessazonalizar,
    ...toConhecidos(resposta),
    defasagens,
    maior,
    bruta_maior,
    nota: NOTA,
    ...toOrigem(serie),
  }
}
