import { dateInBrazil } from '../../brasil/calendar.ts'
import { semanaByCodigo } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import { roundOrNull } from '../../statistics/rounding.ts'
import type { App } from '../app.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { type Lugar, type LugarPedido, lugarOf, type NivelDeLugar } from '../territorios/lugar.ts'
import type { Ponto } from './alinhamento.ts'
import { meets } from './alinhamento.ts'
import { findRevisao } from './blocos.sql.ts'
import { readSerie } from './derivadas.ts'
import {
  codeOfPeriod,
  FIRST_YEAR,
  firstDayOfPeriod,
  isKnownYear,
  lastDayOfPeriod,
  type Periodo,
  periodOf,
} from './periodos.ts'
import type { Categoria, Serie } from './serie.ts'
import { getSerie } from './series.ts'

/** Values of one place, period by period. */

export type ReadingNeeds = Pick<App, 'db' | 'clock' | 'municipios' | 'territorios' | 'populacao' | 'agravos'>

export interface ValoresPedidos extends LugarPedido {
  inicio?: string | undefined
  fim?: string | undefined
  semana_inicio?: string | undefined
  semana_fim?: string | undefined
  periodo?: Periodo | undefined
  conhecidos_em?: string | undefined
}

export type ValorMostrado = number | Pick<Categoria, 'codigo' | 'rotulo'> | null

export interface ValorDoPeriodo extends Omit<Ponto, 'valor' | 'de'> {
  codigo: string
  inicio: string
  fim: string
  valor: ValorMostrado
  /** Code of the period that a carried value comes from. */
  de: string | null
  /** Of weeks alone. */
  limiares: Record<string, boolean | null> | null
}

export interface RespostaDeValores {
  serie: Serie
  periodo: Periodo
  lugar: Lugar
  parcial: boolean
  nivel_valor: NivelDeLugar | null
  valores: ValorDoPeriodo[]
  sem_valor: number
  reconstruido: boolean
  revisao: number | null
  atualizada_em: Date | null
}

const DEFAULT_DAYS = 104 * 7
const MOST_PERIODS = 8_000
/** Weeks before the first that a threshold looks at, at most. */
export const MOST_RUN = 26

export async function valoresDaSerie(
  app: ReadingNeeds,
  caller: Pick<Caller, 'territorio'>,
  codigo: string,
  pedido: ValoresPedidos,
): Promise<RespostaDeValores> {
  const serie = await getSerie(app.db, codigo)
  const alcance = withinCaller(app, caller, lugarOf(app, pedido))
  const periodo = pedido.periodo ?? serie.periodo
  const conhecidoEm = momentOf(pedido.conhecidos_em, serie)
  const dates = datesOf(pedido, serie, dateInBrazil(app.clock.now()))
  const [first, last] = [periodOf(periodo, dates.inicio), periodOf(periodo, dates.fim)]
  if (last - first + 1 > MOST_PERIODS) throw invalid('query', ['inicio'], 'TOO_MANY', { limit: MOST_PERIODS })
  const before = periodo === 'semana' && serie.limiares.length > 0 ? MOST_RUN : 0
  const { pontos, nivel_valor, lugares } = await readSerie(app, app.db, serie, alcance, {
    periodo,
    first: first - before,
    last,
    conhecidoEm,
  })
  const known = await findRevisao(app.db, serie.id, lugares)
  const limiares = limiaresAt(serie, periodo, pontos)
  const valores = pontos
    .slice(before)
    .map((ponto, i) => shownPoint(serie, periodo, first + i, ponto, limiares(before + i)))
  return {
    serie,
    periodo,
    lugar: alcance.lugar,
    parcial: alcance.parcial,
    nivel_valor,
    valores,
    sem_valor: valores.filter(({ valor }) => valor === null).length,
    reconstruido: conhecidoEm !== null,
    revisao: known.revisao,
    atualizada_em: known.atualizado_em,
  }
}

/** Null: now. Refuses moments of which the images are gone. */
export function momentOf(
  text: string | undefined,
  { compactada_ate, derivada }: Pick<Serie, 'compactada_ate' | 'derivada'>,
): Date | null {
  const moment = readMoment(text)
  // Events in animals have a history of their own, which nothing shortens.
  if (moment === null || compactada_ate === null || derivada?.tipo === 'epizootias') return moment
  if (moment < compactada_ate)
    throw invalid('query', ['conhecidos_em'], 'BEFORE', { field: compactada_ate.toISOString() })
  return moment
}

export function readMoment(text: string | undefined): Date | null {
  if (text === undefined) return null
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime()))
    throw invalid('query', ['conhecidos_em'], 'INVALID_FORMAT', { expected: 'date-time' })
  return moment
}

export function limiaresAt(
  { limiares }: Serie,
  periodo: Periodo,
  pontos: readonly Ponto[],
): (at: number) => Record<string, boolean | null> | null {
  if (periodo !== 'semana' || limiares.length === 0) return () => null
  const valores = pontos.map(({ valor }) => valor)
  return (at) => Object.fromEntries(limiares.map((limiar) => [limiar.codigo, meets(limiar, valores, at)]))
}

function shownPoint(
  serie: Serie,
  periodo: Periodo,
  index: number,
  ponto: Ponto,
  limiares: Record<string, boolean | null> | null,
): ValorDoPeriodo {
  return {
    codigo: codeOfPeriod(periodo, index),
    inicio: firstDayOfPeriod(periodo, index),
    fim: lastDayOfPeriod(periodo, index),
    valor: shownValue(serie, ponto.valor),
    cobertura: ponto.cobertura,
    cobertura_lugar: ponto.cobertura_lugar,
    repetido: ponto.repetido,
    de: ponto.de === null ? null : codeOfPeriod(periodo, ponto.de),
    limiares,
  }
}

/** Rounded at the end; a category by its name. */
export function shownValue({ tipo_valor, categorias, casas }: Serie, valor: number | null): ValorMostrado {
  if (tipo_valor !== 'categoria' || valor === null) return roundOrNull(valor, casas)
  const { codigo, rotulo } = categorias.find(({ ordem }) => ordem === valor) ?? {
    codigo: String(valor),
    rotulo: String(valor),
  }
  return { codigo, rotulo }
}

/** Days that are asked for: dates, or weeks; two years up to the last value without either. */
function datesOf(pedido: ValoresPedidos, serie: Serie, today: string): { inicio: string; fim: string } {
  const problems: Problem[] = []
  for (const [date, week] of [
    ['inicio', 'semana_inicio'],
    ['fim', 'semana_fim'],
  ] as const)
    if (pedido[date] !== undefined && pedido[week] !== undefined)
      problems.push(problem('query', [date], 'INCONSISTENT', { field: week }))
  const weekEnd = (name: 'semana_inicio' | 'semana_fim', end: 'inicio' | 'fim') => {
    const codigo = pedido[name]
    const semana = codigo === undefined ? undefined : semanaByCodigo(codigo)
    if (semana === null) problems.push(problem('query', [name], 'INVALID_VALUE', { allowed: 'AAAASS' }))
    return semana?.[end]
  }
  const fim = pedido.fim ?? weekEnd('semana_fim', 'fim') ?? lastDay(serie, today)
  const inicio = pedido.inicio ?? weekEnd('semana_inicio', 'inicio') ?? daysBefore(fim, DEFAULT_DAYS)
  for (const [name, date] of [
    ['inicio', inicio],
    ['fim', fim],
  ] as const)
    if (!isKnownYear(Number(date.slice(0, 4)), today))
      problems.push(problem('query', [name], 'INVALID_VALUE', { allowed: `${FIRST_YEAR}-01-01, …` }))
  if (problems.length === 0 && fim < inicio)
    problems.push(problem('query', [pedido.fim ? 'fim' : 'semana_fim'], 'BEFORE', { field: 'inicio' }))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return { inicio, fim }
}

const lastDay = ({ ultimo, periodo }: Serie, today: string) =>
  ultimo === null ? today : lastDayOfPeriod(periodo, periodOf(periodo, ultimo))

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - (days - 1) * 86_400_000).toISOString().slice(0, 10)
