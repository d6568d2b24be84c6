import { anoOfWeek, firstWeekOf, semanaAt, weeksIn } from '../../brasil/epi-week.ts'
import { round, roundOrNull } from '../../statistics/rounding.ts'
import type { Conjunto } from '../casos/counters/semanas.ts'
import {
  type ContagemSemanal,
  casosBetween,
  casosOf,
  incidenciaBetween,
  type LugarContado,
  NO_CASES,
  weeksOfYear,
} from './serie.ts'

/** Epidemic curve: the weeks of a period, the years that they belong to, and the same weeks of the years before. */

export interface CurvaPedida {
  first: number
  last: number
  casos: Conjunto
  /** Number of years before to compare with. */
  compararAnos: number
}

export interface SemanaDaCurva extends ContagemSemanal {
  semana: string
  inicio: string
  fim: string
  provaveis: number
  /** Cases that the request counts. */
  casos: number
  incidencia: number | null
  /** From the first week of the year on. */
  acumulado: number
  acumulado_incidencia: number | null
  /** Share of its cases that should be known by now; null: delays unknown, or the week is not over. */
  completude_esperada: number | null
  encerrada: boolean
}

export interface AnoDaCurva {
  ano: number
  semanas: number
  populacao: number | null
  populacao_ano: number | null
  casos: number
  incidencia: number | null
}

export interface AnoComparado {
  ano: number
  ate_semana: string
  casos: number
  incidencia: number | null
  variacao_pct: number | null
}

export interface CurvaEpidemica {
  semanas: SemanaDaCurva[]
  anos: AnoDaCurva[]
  comparacao: AnoComparado[]
}

const RATE_DECIMALS = 4
const SHARE_DECIMALS = 6

/** `current` is the week of today; `completude` is asked for weeks that are over. */
export function curvaOf(
  lugar: LugarContado,
  { first, last, casos: classe, compararAnos }: CurvaPedida,
  current: number,
  completude: (week: number) => number | null = () => null,
): CurvaEpidemica {
  const weeks = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const anos = [...new Set(weeks.map(anoOfWeek))]
  return {
    semanas: weeks.map((week) => {
      const contagem = lugar.serie.get(week) ?? NO_CASES
      const begin = firstWeekOf(anoOfWeek(week))
      const encerrada = week < current
      const { codigo, inicio, fim } = semanaAt(week)
      return {
        semana: codigo,
        inicio,
        fim,
        ...contagem,
        provaveis: casosOf(contagem, 'provaveis'),
        casos: casosOf(contagem, classe),
        incidencia: roundOrNull(incidenciaBetween(lugar, classe, week, week), RATE_DECIMALS),
        acumulado: casosBetween(lugar, classe, begin, week),
        acumulado_incidencia: roundOrNull(incidenciaBetween(lugar, classe, begin, week), RATE_DECIMALS),
        completude_esperada: encerrada ? roundOrNull(completude(week), SHARE_DECIMALS) : null,
        encerrada,
      }
    }),
    anos: anos.map((ano) => anoOf(lugar, classe, ano)),
    comparacao: comparisonsOf(lugar, classe, last, compararAnos),
  }
}

function anoOf(lugar: LugarContado, classe: Conjunto, ano: number): AnoDaCurva {
  const { first, last } = weeksOfYear(ano)
  return {
    ano,
    semanas: weeksIn(ano),
    populacao: lugar.populacao(ano),
    populacao_ano: lugar.populacaoAno(ano),
    casos: casosBetween(lugar, classe, first, last),
    incidencia: roundOrNull(incidenciaBetween(lugar, classe, first, last), RATE_DECIMALS),
  }
}

/** The weeks up to the last one asked for, of its year and of those before; a year without week 53 has them up to 52. */
function comparisonsOf(
  lugar: LugarContado,
  classe: Conjunto,
  last: number,
  compararAnos: number,
): AnoComparado[] {
  const asked = anoOfWeek(last)
  const reached = last - firstWeekOf(asked) + 1
  const current = casosBetween(lugar, classe, firstWeekOf(asked), last)
  return Array.from({ length: compararAnos }, (_, i) => {
    const ano = asked - 1 - i
    const first = firstWeekOf(ano)
    const until = first + Math.min(reached, weeksIn(ano)) - 1
    const casos = casosBetween(lugar, classe, first, until)
    return {
      ano,
      ate_semana: semanaAt(until).codigo,
      casos,
      incidencia: roundOrNull(incidenciaBetween(lugar, classe, first, until), RATE_DECIMALS),
      variacao_pct: casos === 0 ? null : round((100 * (current - casos)) / casos, 2),
    }
  })
}
