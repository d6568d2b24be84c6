import { addDays } from '../../../brasil/calendar.ts'
import { semanaOf } from '../../../brasil/epi-week.ts'
import type { Db } from '../../../db/db.ts'
import { invalid } from '../../../errors/catalogue.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { type Selection, selectionOf } from '../counters/counters.sql.ts'
import { monthOf } from '../counters/scope.ts'
import { type Counts, countAll, countBy, countTotals } from './estatisticas.sql.ts'
import { type Agrupamento, type CountedGroup, groupsOf } from './grupos.ts'
import { type CountsWithRates, NOTHING, sumOf, withRates } from './numeros.ts'

export const AGREGACOES = ['dia', 'semana', 'mes'] as const
export type Agregacao = (typeof AGREGACOES)[number]
export const DATAS_BASE = ['notificacao', 'sintomas'] as const

export interface SummaryRequest {
  filter: Filter
  agregacao: Agregacao | null
  dataBase: (typeof DATAS_BASE)[number]
  agruparPor: Agrupamento[]
}

export interface CurvePoint extends CountsWithRates {
  periodo: string
  inicio: string
  fim: string
}

interface Curve {
  points: CurvePoint[]
  undated: number
}

export interface Summary {
  periodo: { inicio: string | null; fim: string | null }
  numeros: CountsWithRates
  /** Null when no series was asked for. */
  serie: Curve | null
  grupos: Partial<Record<Agrupamento, CountedGroup[]>>
  /** Residents in the year of the period's end, and the year that the figure is of; where the incidence was asked for. */
  populacao?: { residentes: number | null; ano: number }
}

/** Numbers of the cases of a filter that is already cut by the territory of the caller. */
export async function summaryOf(
  { db, municipios }: { db: Db; municipios: App['municipios'] },
  { filter, agregacao, dataBase, agruparPor }: SummaryRequest,
): Promise<Summary> {
  const selection = selectionOf(filter, municipios)
  const asked = periodAsked(filter)
  const serie = agregacao && (await seriesOf(db, selection, agregacao, dataBase, asked))
  const { periodo, ...totals } = await totalsOf(asked)
  const grupos: Summary['grupos'] = {}
  for (const key of agruparPor) grupos[key] = await groupsOf(db, key, selection, municipios)
  return { periodo, numeros: withRates(totals), serie, grupos }

  async function totalsOf({ inicio, fim }: Summary['periodo']): Promise<Counts & Pick<Summary, 'periodo'>> {
    if (inicio === null || fim === null) {
      const { first_day, last_day, ...totals } = await countTotals(db, selection)
      return { ...totals, periodo: { inicio: inicio ?? first_day, fim: fim ?? last_day } }
    }
    // Every case has a day of notification, so that the curve by those adds up to the totals.
    const isInSerie = serie !== null && dataBase === 'notificacao'
    const totals = isInSerie ? sumOf(serie.points) : await countAll(db, selection)
    return { ...totals, periodo: asked }
  }
}

async function seriesOf(
  db: Db,
  selection: Selection,
  agregacao: Agregacao,
  dataBase: SummaryRequest['dataBase'],
  asked: Summary['periodo'],
): Promise<Curve> {
  const isBySintomas = dataBase === 'sintomas'
  const byNotificacao = agregacao === 'mes' ? 'mes' : 'data_notificacao'
  const counted = await countBy<string>(db, isBySintomas ? 'data_inicio_sintomas' : byNotificacao, selection)
  const dated = counted.filter(({ valor }) => valor !== null) as (Counts & { valor: string })[]
  const undated = counted.find(({ valor }) => valor === null)?.total ?? 0
  const range = isBySintomas ? { inicio: null, fim: null } : asked
  return { points: pointsOf(dated, agregacao, range), undated }
}

/** Period of the plain limits of a filter; `null`: no limit. */
function periodAsked(filter: Filter): { inicio: string | null; fim: string | null } {
  const tests = filter.kind === 'and' ? filter.of : [filter]
  const limitOf = (...names: string[]) => {
    const test = tests.find((one) => one.kind === 'test' && names.includes(one.field))
    return test?.kind === 'test' ? String(test.value) : null
  }
  return {
    inicio: limitOf('data_inicio', 'data_notificacao_inicio'),
    fim: limitOf('data_fim', 'data_notificacao_fim'),
  }
}

/** Bounds the answer; the refusal asks for a coarser step. */
const MAX_POINTS = 5_000

/** Every period from the first to the last, with zeros where there are no cases. */
function pointsOf(
  days: (Counts & { valor: string })[],
  agregacao: Agregacao,
  asked: { inicio: string | null; fim: string | null },
): CurvePoint[] {
  const first = asked.inicio ?? days.at(0)?.valor
  const last = asked.fim ?? days.at(-1)?.valor
  if (first === undefined || last === undefined) return []
  const points = new Map<string, CurvePoint>()
  for (let day = first; day <= last; ) {
    const period = PERIODS[agregacao](day)
    points.set(period.periodo, { ...period, ...withRates(NOTHING) })
    if (points.size > MAX_POINTS) throw invalid('query', ['agregacao'], 'TOO_MANY', { limit: MAX_POINTS })
    // The day after the last of the calendar is not a date.
    if (period.fim >= last) break
    day = addDays(period.fim, 1)
  }
  const byPeriod = Map.groupBy(days, ({ valor }) => PERIODS[agregacao](valor).periodo)
  for (const [periodo, counted] of byPeriod)
    Object.assign(points.get(periodo) as CurvePoint, withRates(sumOf(counted)))
  return [...points.values()]
}

const PERIODS: Record<Agregacao, (day: string) => Pick<CurvePoint, 'periodo' | 'inicio' | 'fim'>> = {
  dia: (day) => ({ periodo: day, inicio: day, fim: day }),
  semana: (day) => {
    const { codigo, inicio, fim } = semanaOf(day)
    return { periodo: codigo, inicio, fim }
  },
  mes: (day) => {
    const { from, to } = monthOf(day)
    return { periodo: day.slice(0, 7), inicio: from, fim: to }
  },
}
