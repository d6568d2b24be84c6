import { semanaAt } from '../../brasil/epi-week.ts'
import {
  mixtureMean,
  mixtureQuantile,
  mixtureSurvival,
  type WeightedGamma,
} from '../../statistics/gamma-mixture.ts'
import { generationWeights, type Posterior, posteriorsOf } from '../../statistics/reproduction.ts'
import { round } from '../../statistics/rounding.ts'
import type { AgravosVigentes } from '../casos/agravos/vigentes.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import { medianOf } from './nowcast.ts'
import { casosOf, type SerieSemanal } from './serie.ts'

/** Effective reproduction number by week. */

export interface RtPedido {
  first: number
  last: number
  casos: Conjunto
  /** Weeks of the window that ends in each week. */
  janela: number
  /** Generation interval, weeks. */
  media: number
  desvio: number
}

export interface SemanaDoRt {
  semana: string
  inicio: string
  fim: string
  casos: number
  casos_janela: number
  /** Null, like the limits, where no case went before. */
  rt: number | null
  mediana: number | null
  inferior: number | null
  superior: number | null
  p_maior_1: number
  confiavel: boolean
  /** The last week of the window is an estimate. */
  estimado: boolean
}

/** Generation interval of the arboviruses, weeks; of diseases whose definition has none. */
export const INTERVALO_USUAL = { media: 3, desvio: 1 }

export const intervaloOf = (vigentes: Pick<AgravosVigentes, 'get'>, tipo: string): typeof INTERVALO_USUAL =>
  vigentes.get(tipo)?.definicao.epidemiologia.intervalo_geracao ?? INTERVALO_USUAL

/** Longest lag of the generation interval, weeks. */
const LAGS = 6
/** Cases of a window below which the interval is wide. */
const FEW_CASES = 12
const DECIMALS = 6

/**
 * The series is the place's whole history, whatever weeks are asked for. `estimadas` are the quantiles of weeks that are not
 * complete: their median counts as their cases, and all of them carry the uncertainty on into the R of that week.
 */
export function rtOf(
  serie: SerieSemanal,
  { first, last, casos: classe, janela, media, desvio }: RtPedido,
  estimadas: ReadonlyMap<number, readonly number[]> = new Map(),
): SemanaDoRt[] {
  if (last < first) return []
  const begin = Math.min(first, ...serie.keys())
  const known = Array.from({ length: last - begin + 1 }, (_, i) => casosOf(serie.get(begin + i), classe))
  const incidence = known.map((casos, i) => {
    const quantis = estimadas.get(begin + i)
    return quantis === undefined ? casos : medianOf(quantis)
  })
  const posteriors = posteriorsOf(incidence, generationWeights(media, desvio, LAGS), janela)
  return posteriors.slice(first - begin).map((posterior, i) => {
    const week = first + i
    return toSemana(week, known[week - begin] as number, posterior, estimadas.get(week))
  })
}

/** Weights of the quantiles of a nowcast. */
const WEIGHTS = [0.0625, 0.1125, 0.2, 0.25, 0.2, 0.1125, 0.0625]

/** The posterior for each number of cases that the last week of the window may have. */
function mixtureOf(posterior: Posterior, quantis: readonly number[] | undefined): WeightedGamma[] {
  if (quantis === undefined) return [{ ...posterior, weight: 1 }]
  return quantis.map((casos, i) => ({
    weight: WEIGHTS[i] as number,
    shape: posterior.shape - medianOf(quantis) + casos,
    scale: posterior.scale,
  }))
}

function toSemana(
  week: number,
  casos: number,
  posterior: Posterior,
  quantis: readonly number[] | undefined,
): SemanaDoRt {
  const { codigo, inicio, fim } = semanaAt(week)
  const mixture = mixtureOf(posterior, quantis)
  const known = (value: () => number) => (posterior.infectiousness === 0 ? null : round(value(), DECIMALS))
  const at = (p: number) => known(() => mixtureQuantile(mixture, p))
  return {
    semana: codigo,
    inicio,
    fim,
    casos,
    casos_janela: posterior.cases,
    rt: known(() => mixtureMean(mixture)),
    mediana: at(0.5),
    inferior: at(0.025),
    superior: at(0.975),
    p_maior_1: round(mixtureSurvival(mixture, 1), DECIMALS),
    confiavel: posterior.cases >= FEW_CASES,
    estimado: quantis !== undefined,
  }
}
