import { dateInBrazil } from '../../brasil/calendar.ts'
import { type Caller, holds } from '../../caller/caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import { round } from '../../statistics/rounding.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { momentoOf, type PeriodoEmSemanas, periodoOf } from '../casos/statistics/periodo.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../territorios/lugar.ts'
import type { Ponto } from './alinhamento.ts'
import { type CasosConhecidos, casosAoLado } from './casos-ao-lado.ts'
import { readSerie } from './derivadas.ts'
import { codeOfPeriod, firstDayOfPeriod, lastDayOfPeriod } from './periodos.ts'
import type { Serie } from './serie.ts'
import { listSeriesNamed } from './series.sql.ts'
import {
  limiaresAt,
  MOST_RUN,
  momentOf,
  type ReadingNeeds,
  shownValue,
  type ValorMostrado,
} from './valores.ts'

/** Several series and the curve of cases, week by week. */

export interface PainelDeSeriesPedido extends LugarPedido {
  /** Codes. */
  series: readonly string[]
  tipo_agravo?: TipoAgravo | undefined
  casos: Conjunto
  semana_inicio?: string | undefined
  semana_fim?: string | undefined
  /** Weeks by which a series is moved forward, by its code. */
  defasagens: ReadonlyMap<string, number>
  indice: boolean
  /** Values as they were known at this moment, cases at the end of the last week before it. */
  conhecidos_em?: string | undefined
}

export interface ValorNaSemana {
  valor: ValorMostrado
  /** (x − mean) / standard deviation over the period. */
  indice?: number | null
  cobertura: number
  cobertura_lugar: number | null
  repetido: boolean
  /** Week that the value is of, where it is another one. */
  de: string | null
  limiares: Record<string, boolean | null> | null
}

export interface SemanaDoPainelDeSeries {
  semana: string
  inicio: string
  fim: string
  casos: number | null
  incidencia: number | null
  completude_esperada: number | null
}

export interface ColunaDoPainel {
  serie: Serie
  defasagem: number
  /** One of each week. */
  valores: ValorNaSemana[]
}

export interface RespostaDoPainel {
  lugar: Lugar
  parcial: boolean
  periodo: PeriodoEmSemanas
  series: ColunaDoPainel[]
  semanas: SemanaDoPainelDeSeries[]
  reconstruido: boolean
  /** Null: no cases, or as known now. */
  casos_conhecidos: CasosConhecidos | null
  avisos: string[]
}

export const MOST_IN_PANEL = 8
export const MOST_LAG = 26
const DEFAULT_WEEKS = 104

export async function painelDeSeries(
  app: ReadingNeeds,
  caller: Caller,
  pedido: PainelDeSeriesPedido,
): Promise<RespostaDoPainel> {
  assertStatistics(caller, pedido.tipo_agravo)
  const alcance = withinCaller(app, caller, lugarOf(app, pedido))
  const momento = momentoOf(dateInBrazil(app.clock.now()), {})
  const found = periodoOf(pedido, momento)
  const periodo =
    pedido.semana_inicio === undefined ? { ...found, first: found.last - DEFAULT_WEEKS + 1 } : found
  const series = await seriesNamed(app, pedido.series)
  const [colunas, casos] = await Promise.all([
    Promise.all(
      series.map((serie) => {
        const defasagem = pedido.defasagens.get(serie.codigo) ?? 0
        const conhecidoEm = momentOf(pedido.conhecidos_em, serie)
        return columnOf(app, { alcance, serie, defasagem, periodo, conhecidoEm, indice: pedido.indice })
      }),
    ),
    pedido.tipo_agravo === undefined
      ? null
      : casosAoLado(app, caller, { ...pedido, tipo_agravo: pedido.tipo_agravo }, periodo),
  ])
  const semanas = Array.from({ length: periodo.last - periodo.first + 1 }, (_, i) => {
    const week = periodo.first + i
    const semana = casos?.at(week)
    return {
      semana: codeOfPeriod('semana', week),
      inicio: firstDayOfPeriod('semana', week),
      fim: lastDayOfPeriod('semana', week),
      casos: semana?.casos ?? null,
      incidencia: semana?.incidencia ?? null,
      completude_esperada: semana?.completude_esperada ?? null,
    }
  })
  const avisos = colunas
    .filter(({ valores }) => valores.every(({ valor }) => valor === null))
    .map(({ serie }) => `A série ${serie.codigo} não tem valor no período`)
  return {
    lugar: alcance.lugar,
    parcial: alcance.parcial,
    periodo,
    series: colunas,
    semanas,
    reconstruido: pedido.conhecidos_em !== undefined,
    casos_conhecidos: casos?.conhecidos ?? null,
    avisos,
  }
}

/** Numbers of cases need the right to statistics beside that to series. */
export function assertStatistics(caller: Caller, tipo: TipoAgravo | undefined): void {
  if (tipo !== undefined && !holds(caller, 'agravos.estatisticas'))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'agravos.estatisticas' })
}

/** In the order of the request; unknown ones are refused. */
export async function seriesNamed(
  { db }: Pick<ReadingNeeds, 'db'>,
  codigos: readonly string[],
  field = 'series',
): Promise<Serie[]> {
  const problems: Problem[] = []
  if (codigos.length > MOST_IN_PANEL)
    problems.push(problem('query', [field], 'TOO_MANY', { limit: MOST_IN_PANEL }))
  if (new Set(codigos).size < codigos.length) problems.push(problem('query', [field], 'REPEATED', {}))
  refuse(problems)
  const found = new Map((await listSeriesNamed(db, codigos)).map((serie) => [serie.codigo, serie]))
  const unknown = codigos.filter((codigo) => !found.has(codigo))
  if (unknown.length > 0) refuse([problem('query', [field], 'UNKNOWN', { ids: unknown })])
  return codigos.map((codigo) => found.get(codigo) as Serie)
}

async function columnOf(
  app: ReadingNeeds,
  {
    alcance,
    serie,
    defasagem,
    periodo: { first, last },
    conhecidoEm,
    indice,
  }: {
    alcance: ReturnType<typeof withinCaller>
    serie: Serie
    defasagem: number
    periodo: PeriodoEmSemanas
    conhecidoEm: Date | null
    indice: boolean
  },
): Promise<ColunaDoPainel> {
  const before = serie.limiares.length > 0 ? MOST_RUN : 0
  const asked = { periodo: 'semana' as const, first: first - defasagem - before, last: last - defasagem }
  const { pontos } = await readSerie(app, app.db, serie, alcance, { ...asked, conhecidoEm })
  const shown = pontos.slice(before)
  const standard = indice ? standardised(shown) : null
  const limiares = limiaresAt(serie, 'semana', pontos)
  const valores = shown.map((ponto, i) => ({
    valor: shownValue(serie, ponto.valor),
    ...(standard && { indice: standard[i] as number | null }),
    cobertura: ponto.cobertura,
    cobertura_lugar: ponto.cobertura_lugar,
    repetido: ponto.repetido,
    de: comesFrom(ponto, first + i, defasagem),
    limiares: limiares(before + i),
  }))
  return { serie, defasagem, valores }
}

function comesFrom(ponto: Ponto, week: number, defasagem: number): string | null {
  if (ponto.valor === null) return null
  const from = ponto.de ?? week - defasagem
  return from === week ? null : codeOfPeriod('semana', from)
}

function standardised(pontos: readonly Ponto[]): (number | null)[] {
  const known = pontos.flatMap(({ valor }) => (valor === null ? [] : [valor]))
  const mean = known.reduce((sum, valor) => sum + valor, 0) / known.length
  const variance = known.reduce((sum, valor) => sum + (valor - mean) ** 2, 0) / (known.length - 1)
  const sd = Math.sqrt(variance)
  return pontos.map(({ valor }) => (valor === null || !(sd > 0) ? null : round((valor - mean) / sd, 4)))
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}
