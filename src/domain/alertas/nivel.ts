import { anoOfWeek } from '../../brasil/epi-week.ts'
import { ears } from '../../statistics/ears.ts'
import { gammaSurvival } from '../../statistics/gamma.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { generationWeights, type Posterior, posteriorsOf } from '../../statistics/reproduction.ts'
import { lazily } from '../../system/lazily.ts'
import type { QualidadeDoDiagrama } from '../epidemiologia/base-do-diagrama.ts'
import type { LimitesNaSemana } from '../epidemiologia/diagrama.ts'
import { casosOf, type LugarContado } from '../epidemiologia/serie.ts'
import type { Regra } from './regra.ts'

/** Level of a place, a disease and a week that is over, from its expected cases and the limits of its control diagram. */

export const NIVEIS_DE_ALERTA = ['verde', 'amarelo', 'laranja', 'vermelho'] as const
export type NivelDeAlerta = (typeof NIVEIS_DE_ALERTA)[number]

/** Reasons of a level; the last one belongs to a told alert: figures of a week that was told before have changed. */
export const MOTIVOS = [
  'crescimento',
  'ears_c2',
  'acima_da_media',
  'acima_do_limite',
  'incidencia_4_semanas',
  'carencia',
  'dados_alterados',
] as const
export type Motivo = (typeof MOTIVOS)[number]

export interface NivelDaSemana {
  week: number
  nivel: NivelDeAlerta
  motivos: Motivo[]
  /** Probable cases known. */
  casos: number
  casos_estimados: number
  /** Of the expected cases. */
  incidencia: number | null
  p_rt_maior_1: number
  limite_superior: number | null
  qualidade: QualidadeDoDiagrama
}

export interface NiveisPedidos {
  first: number
  last: number
  regra: Regra
  /** Generation interval of the disease, weeks. */
  intervalo: { media: number; desvio: number }
  /** Expected probable cases of a week. */
  esperados(week: number): number
  /** Limits of the control diagram of its year. */
  limites(week: number): LimitesNaSemana
}

/** Weeks of the window of R, and those that its infectiousness comes from. */
const WINDOW = 3
const LAGS = 6
/** Weeks before the first level that it looks back to: the baselines of EARS reach furthest. */
const LOOKED_BACK = 12
/** Weeks before it whose limits a level needs. */
export const LIMITS_BACK = 2
/** Weeks that growth is looked for in. */
const GROWING = [0, 1, 2]
const ACCUMULATED = [0, 1, 2, 3]

/** Levels from `first` to `last`, in order. */
export function niveisOf(lugar: LugarContado, pedido: NiveisPedidos): NivelDaSemana[] {
  const figures = figuresOf(lugar, pedido)
  return Array.from({ length: pedido.last - pedido.first + 1 }, (_, i) => {
    const week = pedido.first + i
    const { nivel, motivos } = judge(figures, pedido.regra, week)
    const { qualidade, limite_superior } = figures.limites(week)
    return {
      week,
      nivel,
      motivos,
      casos: casosOf(lugar.serie.get(week), 'provaveis'),
      casos_estimados: figures.casos(week),
      incidencia: figures.incidencia(week),
      p_rt_maior_1: figures.pGrowth(week),
      limite_superior,
      qualidade,
    }
  })
}

interface Figures {
  casos(week: number): number
  incidencia(week: number): number | null
  limites(week: number): LimitesNaSemana
  pGrowth(week: number): number
  /** Cases of the window of R. */
  inWindow(week: number): number
  earsAlarm(week: number): boolean
}

function figuresOf(
  lugar: LugarContado,
  { first, last, intervalo, esperados, limites }: NiveisPedidos,
): Figures {
  const begin = first - LOOKED_BACK
  const series = seriesOf(esperados, begin, last)
  const weights = generationWeights(intervalo.media, intervalo.desvio, LAGS)
  const posteriors = posteriorsOf(series, weights, WINDOW)
  const at = <T>(values: readonly T[], week: number) => values[week - begin] as T
  return {
    casos: (week) => at(series, week),
    incidencia: lazily((week) => incidenciaEsperada(lugar, at(series, week), week)),
    limites,
    pGrowth: lazily((week) => gammaSurvival(at<Posterior>(posteriors, week), 1)),
    inWindow: (week) => at<Posterior>(posteriors, week).cases,
    earsAlarm: (week) => ears(series, week - begin).c2.alarme,
  }
}

/** Expected cases week by week; a baseline that begins before it has nothing. */
export const seriesOf = (esperados: (week: number) => number, begin: number, last: number): number[] =>
  Array.from({ length: last - begin + 1 }, (_, i) => esperados(begin + i))

/** Cases of municipalities without population are in no rate. */
function incidenciaEsperada(lugar: LugarContado, casos: number, week: number): number | null {
  const outside = casosOf(lugar.semPopulacao.get(week), 'provaveis')
  return ratePer100k(Math.max(0, casos - outside), lugar.populacao(anoOfWeek(week)))
}

/** The highest level that holds, with its own reasons. */
function judge(figures: Figures, regra: Regra, week: number): { nivel: NivelDeAlerta; motivos: Motivo[] } {
  const { casos, limites } = figures
  const isGrowing = (age: number) =>
    figures.inWindow(week - age) >= regra.casos_janela && figures.pGrowth(week - age) > regra.p_crescimento
  const hasLimits = limites(week).qualidade !== 'insuficiente'
  const red = hasLimits ? aboveLimit(figures, regra, week) : manyCases(figures, regra, week)
  if (red !== null) return { nivel: 'vermelho', motivos: [red] }
  if (isGrowing(0) && isGrowing(1) && casos(week) >= regra.casos_laranja) {
    if (!hasLimits) return { nivel: 'laranja', motivos: ['crescimento'] }
    if (exceeds(figures.incidencia(week), limites(week).media))
      return { nivel: 'laranja', motivos: ['crescimento', 'acima_da_media'] }
  }
  const motivos: Motivo[] = []
  if (GROWING.filter(isGrowing).length >= 2) motivos.push('crescimento')
  if (casos(week) >= regra.casos_amarelo && figures.earsAlarm(week)) motivos.push('ears_c2')
  return { nivel: motivos.length > 0 ? 'amarelo' : 'verde', motivos }
}

const exceeds = (value: number | null, limit: number | null) =>
  value !== null && limit !== null && value > limit

/** Above the limit in two weeks, or in the two before this one. */
function aboveLimit(figures: Figures, { casos_vermelho }: Regra, week: number): Motivo | null {
  const isAbove = (age: number) =>
    exceeds(figures.incidencia(week - age), figures.limites(week - age).limite_superior)
  const isEpidemic = (age: number) =>
    isAbove(age) && isAbove(age + 1) && figures.casos(week - age) >= casos_vermelho
  if (isEpidemic(0)) return 'acima_do_limite'
  return isEpidemic(1) && !isAbove(0) ? 'carencia' : null
}

function manyCases(figures: Figures, regra: Regra, week: number): Motivo | null {
  const accumulated = ACCUMULATED.reduce((sum, age) => sum + (figures.incidencia(week - age) ?? 0), 0)
  const isHigh = accumulated >= regra.incidencia_4_semanas && figures.casos(week) >= regra.casos_vermelho
  return isHigh ? 'incidencia_4_semanas' : null
}
