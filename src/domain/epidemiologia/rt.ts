import { semanaAt } from '../../brasil/epi-week.ts'
import { gammaQuantile, gammaSurvival } from '../../statistics/gamma.ts'
import { generationWeights, type Posterior, posteriorsOf } from '../../statistics/reproduction.ts'
import { round } from '../../statistics/rounding.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
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
}

/** Longest lag of the generation interval, weeks. */
const LAGS = 6
/** Cases of a window below which the interval is wide. */
const FEW_CASES = 12
const DECIMALS = 6

/** The series is the place's whole history, whatever weeks are asked for. */
export function rtOf(
  serie: SerieSemanal,
  { first, last, casos: classe, janela, media, desvio }: RtPedido,
): SemanaDoRt[] {
  if (last < first) return []
  const begin = Math.min(first, ...serie.keys())
  const incidence = Array.from({ length: last - begin + 1 }, (_, i) => casosOf(serie.get(begin + i), classe))
  const posteriors = posteriorsOf(incidence, generationWeights(media, desvio, LAGS), janela)
  return posteriors
    .slice(first - begin)
    .map((posterior, i) => toSemana(first + i, incidence[first - begin + i] as number, posterior))
}

function toSemana(week: number, casos: number, posterior: Posterior): SemanaDoRt {
  const { codigo, inicio, fim } = semanaAt(week)
  const known = (value: () => number) => (posterior.infectiousness === 0 ? null : round(value(), DECIMALS))
  const at = (p: number) => known(() => gammaQuantile(posterior, p))
  return {
    semana: codigo,
    inicio,
    fim,
    casos,
    casos_janela: posterior.cases,
    rt: known(() => posterior.shape * posterior.scale),
    mediana: at(0.5),
    inferior: at(0.025),
    superior: at(0.975),
    p_maior_1: round(gammaSurvival(posterior, 1), DECIMALS),
    confiavel: posterior.cases >= FEW_CASES,
  }
}
