import { dateInBrazil } from '../../brasil/calendar.ts'
import { anoOfWeek, firstWeekOf, weekOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, invalid, problem } from '../../errors/catalogue.ts'
import { type Correlacao, correlate, valoresSemanais } from '../../statistics/correlation.ts'
import { round, roundOrNull } from '../../statistics/rounding.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { type LugarNoAlcance, withinCaller } from '../casos/statistics/alcance.ts'
import { momentoOf, type PeriodoEmSemanas, periodoOf } from '../casos/statistics/periodo.ts'
import { type Lugar, type LugarPedido, lugarOf } from '../territorios/lugar.ts'
import { type CasosAoLado, type CasosConhecidos, casosAoLado } from './casos-ao-lado.ts'
import { readSerie } from './derivadas.ts'
import { assertStatistics, seriesNamed } from './painel.ts'
import { codeOfPeriod, periodOf } from './periodos.ts'
import type { Serie } from './serie.ts'
import { getSerie } from './series.ts'
import { momentOf, type ReadingNeeds } from './valores.ts'

/** Lagged correlation of a series with the cases, or with another series, the season taken out. */

export const METODOS = ['spearman', 'pearson_log'] as const

export interface CorrelacaoPedida extends LugarPedido {
  tipo_agravo?: TipoAgravo | undefined
  /** Another series in place of the cases. */
  com?: string | undefined
  casos: Conjunto
  semana_inicio?: string | undefined
  semana_fim?: string | undefined
  defasagem_max: number
  metodo: (typeof METODOS)[number]
  dessazonalizar: boolean
  incluir_repetidos: boolean
  /** Values as they were known at this moment, cases at the end of the last week before it. */
  conhecidos_em?: string | undefined
}

export interface NaDefasagem extends Correlacao {
  defasagem: number
}

export interface RespostaDaCorrelacao {
  serie: Serie
  lugar: Lugar
  parcial: boolean
  periodo: PeriodoEmSemanas
  reconstruido: boolean
  /** Null: another series, or as known now. */
  casos_conhecidos: CasosConhecidos | null
  defasagens: NaDefasagem[]
  /** The largest among those whose interval excludes 0. */
  maior: { defasagem: number; r: number } | null
  /** The same without taking the season out. */
  bruta_maior: { defasagem: number; r: number } | null
}

/** Weeks less complete than this are left out. */
const COMPLETE = 0.9
const MOST_WEEKS = 1_100
const LAST_WEEK = 52

type Semanal = ReadonlyMap<number, number>

export async function correlacaoDaSerie(
  app: ReadingNeeds,
  caller: Caller,
  codigo: string,
  pedido: CorrelacaoPedida,
): Promise<RespostaDaCorrelacao> {
  assertOneOther(pedido)
  assertStatistics(caller, pedido.tipo_agravo)
  const serie = await getSerie(app.db, codigo)
  assertNumeric(serie, 'codigo')
  const alcance = withinCaller(app, caller, lugarOf(app, pedido))
  const periodo = periodAsked(app, serie, pedido)
  const [x, casos] = await Promise.all([
    weeklyOf(app, serie, alcance, periodo, pedido),
    pedido.tipo_agravo === undefined
      ? null
      : casosAoLado(app, caller, { ...pedido, tipo_agravo: pedido.tipo_agravo }, periodo),
  ])
  const y = casos === null ? await otherSeries(app, alcance, periodo, pedido) : weeklyCases(casos, periodo)
  const lags = Array.from({ length: pedido.defasagem_max + 1 }, (_, k) => k)
  const metodo = pedido.metodo === 'spearman' ? ('spearman' as const) : ('pearson' as const)
  const along = (a: Semanal, b: Semanal) => {
    const [before, after] = [valoresSemanais(a), valoresSemanais(b)]
    return lags.map((defasagem) => ({ defasagem, ...correlate(before, after, defasagem, metodo) }))
  }
  const raw = along(x, y)
  const shown = pedido.dessazonalizar ? along(withoutSeason(x), withoutSeason(y)) : raw
  return {
    serie,
    lugar: alcance.lugar,
    parcial: alcance.parcial,
    periodo,
    reconstruido: pedido.conhecidos_em !== undefined,
    casos_conhecidos: casos?.conhecidos ?? null,
    defasagens: shown.map(rounded),
    maior: largest(shown),
    bruta_maior: largest(raw),
  }
}

function assertOneOther({ tipo_agravo, com }: CorrelacaoPedida): void {
  if ((tipo_agravo === undefined) !== (com === undefined)) return
  throw new AppError('VALIDATION_ERROR', {
    problems: [
      com === undefined
        ? problem('query', ['tipo_agravo'], 'REQUIRED', {})
        : problem('query', ['com'], 'INCONSISTENT', { field: 'tipo_agravo' }),
    ],
  })
}

function assertNumeric({ tipo_valor }: Serie, field: string): void {
  if (tipo_valor === 'categoria')
    throw invalid(field === 'codigo' ? 'path' : 'query', [field], 'INCONSISTENT', { field: 'tipo_valor' })
}

/** The whole series without limits; its end is cut at the present week. */
function periodAsked(app: ReadingNeeds, serie: Serie, pedido: CorrelacaoPedida): PeriodoEmSemanas {
  const momento = momentoOf(dateInBrazil(app.clock.now()), {})
  const { primeiro, ultimo, periodo } = serie
  const end = ultimo === null ? momento.latest : weekOf(ultimo) + (periodo === 'ano' ? 52 : 4)
  const last =
    pedido.semana_fim ?? codeOfPeriod('semana', Math.min(end + pedido.defasagem_max, momento.latest))
  const oldest = momento.latest - MOST_WEEKS + 1
  const first =
    pedido.semana_inicio ??
    codeOfPeriod('semana', primeiro === null ? oldest : Math.max(oldest, periodOf('semana', primeiro)))
  return periodoOf({ semana_inicio: first, semana_fim: last }, momento)
}

async function weeklyOf(
  app: ReadingNeeds,
  serie: Serie,
  alcance: LugarNoAlcance,
  { first, last }: PeriodoEmSemanas,
  { incluir_repetidos, conhecidos_em }: Pick<CorrelacaoPedida, 'incluir_repetidos' | 'conhecidos_em'>,
): Promise<Semanal> {
  const conhecidoEm = momentOf(conhecidos_em, serie)
  const asked = { periodo: 'semana' as const, first, last, conhecidoEm }
  const { pontos } = await readSerie(app, app.db, serie, alcance, asked)
  return new Map(
    pontos.flatMap(({ valor, repetido }, i) =>
      valor === null || (repetido && !incluir_repetidos) ? [] : [[first + i, valor] as const],
    ),
  )
}

/** Counts of persons as the cases are taken, by their logarithm; any other series as it is. */
async function otherSeries(
  app: ReadingNeeds,
  alcance: LugarNoAlcance,
  periodo: PeriodoEmSemanas,
  pedido: CorrelacaoPedida,
): Promise<Semanal> {
  const [other] = (await seriesNamed(app, [pedido.com as string], 'com')) as [Serie]
  assertNumeric(other, 'com')
  const weekly = await weeklyOf(app, other, alcance, periodo, pedido)
  const isCount = other.dominio === 'humano' && other.tipo_valor === 'inteiro'
  return isCount ? logarithms(weekly) : weekly
}

/** Weeks that are over and complete enough; without the others a correlation would be one with delays of entry. */
function weeklyCases(casos: CasosAoLado, { first, last }: PeriodoEmSemanas): Semanal {
  const weekly = new Map<number, number>()
  for (let week = first; week <= last; week++) {
    const semana = casos.at(week)
    if (semana?.encerrada && (semana.completude_esperada ?? 1) >= COMPLETE) weekly.set(week, semana.casos)
  }
  return logarithms(weekly)
}

const logarithms = (weekly: Semanal): Semanal =>
  new Map([...weekly].map(([week, casos]) => [week, Math.log1p(casos)]))

/** From each week the mean of its number over all years; week 53 counts as 52. */
function withoutSeason(weekly: Semanal): Semanal {
  const numberOf = (week: number) => Math.min(week - firstWeekOf(anoOfWeek(week)) + 1, LAST_WEEK)
  const sums = new Map<number, { sum: number; count: number }>()
  for (const [week, value] of weekly) {
    const one = sums.get(numberOf(week)) ?? { sum: 0, count: 0 }
    sums.set(numberOf(week), { sum: one.sum + value, count: one.count + 1 })
  }
  return new Map(
    [...weekly].map(([week, value]) => {
      const { sum, count } = sums.get(numberOf(week)) as { sum: number; count: number }
      return [week, value - sum / count]
    }),
  )
}

/** Largest correlation whose interval excludes 0. */
function largest(found: readonly NaDefasagem[]): { defasagem: number; r: number } | null {
  let best: { defasagem: number; r: number } | null = null
  for (const { defasagem, r, inferior, superior } of found) {
    if (r === null || inferior === null || superior === null || inferior * superior <= 0) continue
    if (best === null || Math.abs(r) > Math.abs(best.r)) best = { defasagem, r: round(r, 6) }
  }
  return best
}

const rounded = ({ n_efetivo, r, inferior, superior, ...rest }: NaDefasagem): NaDefasagem => ({
  ...rest,
  r: roundOrNull(r, 6),
  n_efetivo: roundOrNull(n_efetivo, 2),
  inferior: roundOrNull(inferior, 6),
  superior: roundOrNull(superior, 6),
})
