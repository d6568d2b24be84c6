import { median } from '../../statistics/summary.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import { incidenciaBetween, type LugarContado, weeksOfYear } from './serie.ts'

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
  const annual = new Map(candidates.map((ano) => [ano, annualIncidence(lugar, pedido.casos, ano)]))
  const mediana = median([...annual.values()])
  const reasonOf = reasonsOf(pedido, mediana)
  const excluidos = candidates.flatMap((ano) => {
    const incidencia = annual.get(ano) as number
    const motivo = reasonOf(ano, incidencia)
    return motivo === null ? [] : [{ ano, incidencia, motivo }]
  })
  const anos = candidates.filter((ano) => !excluidos.some((one) => one.ano === ano))
  return { anos, excluidos, mediana, qualidade: qualityOf(anos.length) }
}

function annualIncidence(lugar: LugarContado, classe: Conjunto, ano: number): number {
  const { first, last } = weeksOfYear(ano)
  return incidenciaBetween(lugar, classe, first, last) ?? 0
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
