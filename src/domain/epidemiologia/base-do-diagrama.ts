import { firstWeekOf } from '../../brasil/epi-week.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import { median } from '../../statistics/summary.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import { casosByWeek, type LugarContado, weeksOfYear } from './serie.ts'

/** Years that the limits of a control diagram come from: the candidates, without the epidemic ones. */

export const METODOS_DO_DIAGRAMA = ['media_movel', 'quartis'] as const
export const CRITERIOS_EPIDEMICOS = ['dobro_mediana', 'alta_incidencia', 'nenhum'] as const
export const JANELAS = [1, 3, 5, 7] as const

export interface DiagramaPedido {
  ano: number
  metodo: (typeof METODOS_DO_DIAGRAMA)[number]
  /** Number of years before that are candidates. */
  anos: number
  janela: number
  desvios: number
  epidemicos: (typeof CRITERIOS_EPIDEMICOS)[number]
  /** Years left out by hand, in place of the automatic choice. */
  anosExcluidos: readonly number[] | null
  /** Cases that count in the years before, and in the year under analysis. */
  casos: Conjunto
  casosAno: Conjunto
}

/** Diagram as alerts read it, and as it is answered unless said otherwise. */
export const DIAGRAMA_PADRAO: Omit<DiagramaPedido, 'ano'> = {
  metodo: 'media_movel',
  anos: 10,
  janela: 5,
  desvios: 2,
  epidemicos: 'dobro_mediana',
  anosExcluidos: null,
  casos: 'provaveis',
  casosAno: 'provaveis',
}
/** Candidates of `DIAGRAMA_PADRAO`. */
export const ANOS_CANDIDATOS = DIAGRAMA_PADRAO.anos

export const QUALIDADES_DO_DIAGRAMA = ['insuficiente', 'baixa', 'adequada'] as const
export type QualidadeDoDiagrama = (typeof QUALIDADES_DO_DIAGRAMA)[number]

export interface AnoExcluido {
  ano: number
  incidencia: number | null
  motivo: 'dobro_mediana' | 'alta_incidencia' | 'pedido'
}

export interface BaseDoDiagrama {
  anos: number[]
  excluidos: AnoExcluido[]
  /** Median of the annual incidences of all candidates. */
  mediana: number | null
  qualidade: QualidadeDoDiagrama
  /** Incidence of each week from `begin` on; NaN in weeks of other years, so that windows across the new year leave them out. */
  incidencias: Float64Array
  begin: number
}

/** High incidence by the national programme, cases of a year for each 100,000 residents. */
const HIGH_INCIDENCE = 300

/** Candidates are the years before that are covered; without population there are none. */
export function candidatesOf(
  lugar: LugarContado,
  { ano, anos }: Pick<DiagramaPedido, 'ano' | 'anos'>,
  covered: ReadonlySet<number>,
): number[] {
  return Array.from({ length: anos }, (_, i) => ano - anos + i).filter(
    (year) => covered.has(year) && lugar.populacao(year) !== null,
  )
}

export function baseOf(
  lugar: LugarContado,
  pedido: DiagramaPedido,
  covered: ReadonlySet<number>,
): BaseDoDiagrama {
  const candidates = candidatesOf(lugar, pedido, covered)
  const casos = countedIn(lugar, pedido)
  const annual = new Map(
    candidates.map((ano) => [ano, ratePer100k(casos.ofYear(ano), lugar.populacao(ano)) ?? 0]),
  )
  const mediana = median([...annual.values()])
  const reasonOf = reasonsOf(pedido, mediana)
  const excluidos = candidates.flatMap((ano) => {
    const incidencia = annual.get(ano) as number
    const motivo = reasonOf(ano, incidencia)
    return motivo === null ? [] : [{ ano, incidencia, motivo }]
  })
  const anos = candidates.filter((ano) => !excluidos.some((one) => one.ano === ano))
  const qualidade = qualityOf(anos.length)
  return { anos, excluidos, mediana, qualidade, incidencias: casos.incidences(anos), begin: casos.begin }
}

/** Cases of all candidates in one array: alerts add them up for thousands of places. */
function countedIn(lugar: LugarContado, { ano, anos, casos }: DiagramaPedido) {
  const begin = firstWeekOf(ano - anos)
  const counted = casosByWeek(lugar, casos, begin, firstWeekOf(ano) - 1)
  const weeksOf = (year: number) => {
    const { first, last } = weeksOfYear(year)
    return [first - begin, last - begin] as const
  }
  return {
    begin,
    ofYear(year: number): number {
      const [first, last] = weeksOf(year)
      let total = 0
      for (let i = first; i <= last; i++) total += counted[i] as number
      return total
    },
    incidences(years: readonly number[]): Float64Array {
      const rates = new Float64Array(counted.length).fill(Number.NaN)
      for (const year of years) {
        const [first, last] = weeksOf(year)
        const residents = lugar.populacao(year)
        for (let i = first; i <= last; i++) rates[i] = ratePer100k(counted[i] as number, residents) ?? 0
      }
      return rates
    },
  }
}

function reasonsOf({ anosExcluidos, epidemicos }: DiagramaPedido, mediana: number | null) {
  return (ano: number, incidencia: number): AnoExcluido['motivo'] | null => {
    if (anosExcluidos !== null) return anosExcluidos.includes(ano) ? 'pedido' : null
    if (epidemicos === 'alta_incidencia') return incidencia >= HIGH_INCIDENCE ? 'alta_incidencia' : null
    if (epidemicos === 'nenhum' || mediana === null) return null
    return incidencia > 2 * mediana ? 'dobro_mediana' : null
  }
}

const qualityOf = (anos: number): QualidadeDoDiagrama =>
  anos < 3 ? 'insuficiente' : anos < 5 ? 'baixa' : 'adequada'
