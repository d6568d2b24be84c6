import { usualHyperparameters } from '../../statistics/nowcast.ts'
import { round, roundOrNull } from '../../statistics/rounding.ts'
import { casosEsperados } from '../epidemiologia/casos-esperados.ts'
import { limitesAt } from '../epidemiologia/diagrama.ts'
import { estimateBy, isCurrent } from '../epidemiologia/estimativa.ts'
import { hyperparametersOf, mediansOfNowcast, NOWCAST_DELAYS, trianguloOf } from '../epidemiologia/nowcast.ts'
import type { ParametrosGuardados } from '../epidemiologia/parametros.ts'
import { casosBetween } from '../epidemiologia/serie.ts'
import type { DadosDoLugar } from './dados.ts'
import { type NiveisPedidos, type NivelDaSemana, niveisOf } from './nivel.ts'

/** Levels of one place from its numbers: nowcast, expected cases, limits, judgement. */

export interface SemanasAvaliadas {
  /** First and last week to judge. */
  from: number
  to: number
  /** Last week that is over: what is known of the others is as of then. */
  last: number
  /**
   * Estimates hyperparameters that are not kept for that week. Otherwise those of an earlier week are taken, or usual ones: a
   * request must not wait for thousands of estimates.
   */
  estimates: boolean
}

export interface Avaliacao {
  /** Rounded as they are stored and told. */
  niveis: NivelDaSemana[]
  /** Expected probable cases by week. */
  esperados(week: number): number
  /** Hyperparameters that had to be estimated, to be kept. */
  novos: ParametrosGuardados | null
}

export function avaliar(
  dados: DadosDoLugar,
  semanas: SemanasAvaliadas,
  { regra, intervalo }: Pick<NiveisPedidos, 'regra' | 'intervalo'>,
): Avaliacao {
  const { from, to, last } = semanas
  const { contado, cobertos } = dados
  const { medianas, novos } = last - to < NOWCAST_DELAYS ? nowcastOf(dados, semanas) : KNOWN
  const esperados = casosEsperados(contado.serie, last, medianas)
  const niveis = niveisOf(contado, {
    first: from,
    last: to,
    regra,
    intervalo,
    esperados,
    limites: limitesAt(contado, cobertos),
  })
  return { niveis: niveis.map(rounded), esperados, novos }
}

interface Medianas {
  medianas: ReadonlyMap<number, number>
  novos: ParametrosGuardados | null
}

/** Weeks count what is known. */
const KNOWN: Medianas = { medianas: new Map(), novos: null }

function nowcastOf(
  { contado, atrasos, primeira, parametros, sharesOfState }: DadosDoLugar,
  { last, estimates }: SemanasAvaliadas,
): Medianas {
  // Without cases in the weeks to be estimated the estimate is none, or too much for what is known: nothing in either case.
  if (casosBetween(contado, 'notificados', last - NOWCAST_DELAYS + 1, last) === 0) return KNOWN
  const triangulo = trianguloOf(atrasos, { last, first: primeira ?? last, isReconstructed: false })
  let novos: ParametrosGuardados | null = null
  const { missing } = estimateBy(
    triangulo,
    () => {
      if (parametros !== null && isCurrent(parametros, triangulo)) return parametros
      if (!estimates) return parametros ?? usualHyperparameters()
      novos = { ...hyperparametersOf(triangulo), semana: last, total: triangulo.total }
      return novos
    },
    sharesOfState,
  )
  const medianas = missing && mediansOfNowcast(triangulo, missing, NOWCAST_DELAYS)
  return { medianas: medianas ?? KNOWN.medianas, novos }
}

const RATE_DECIMALS = 4
const PROBABILITY_DECIMALS = 6

const rounded = (nivel: NivelDaSemana): NivelDaSemana => ({
  ...nivel,
  casos_estimados: round(nivel.casos_estimados, RATE_DECIMALS),
  incidencia: roundOrNull(nivel.incidencia, RATE_DECIMALS),
  p_rt_maior_1: round(nivel.p_rt_maior_1, PROBABILITY_DECIMALS),
  limite_superior: roundOrNull(nivel.limite_superior, RATE_DECIMALS),
})
