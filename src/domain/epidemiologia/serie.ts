import { anoOfWeek, firstWeekOf, weeksIn } from '../../brasil/epi-week.ts'
import { ratePer100k } from '../../statistics/rate.ts'
import type { Conjunto, PlaceWeeks } from '../casos/counters/semanas.ts'

/** Cases of one week of onset. Null: not known for a series as it was known at an earlier time. */
export interface ContagemSemanal {
  notificados: number
  descartados: number
  confirmados: number | null
  inconclusivos: number | null
  em_investigacao: number | null
  hospitalizados: number | null
  obitos: number | null
}

/** Weekly cases of one place and disease, by the number of the week (`weekOf`); a week without cases is absent. */
export type SerieSemanal = ReadonlyMap<number, ContagemSemanal>

export const NO_CASES: ContagemSemanal = {
  notificados: 0,
  descartados: 0,
  confirmados: 0,
  inconclusivos: 0,
  em_investigacao: 0,
  hospitalizados: 0,
  obitos: 0,
}

/** Weeks of a place as counters of many places give them, without the groups that these leave out. */
export function toSerie({
  semanas,
  notificados,
  provaveis,
  confirmados,
}: Omit<PlaceWeeks, 'lugar'>): Map<number, ContagemSemanal> {
  return new Map(
    semanas.map((week, i) => {
      const all = notificados[i] ?? 0
      const descartados = all - (provaveis[i] ?? 0)
      return [week, { ...NO_CASES, notificados: all, descartados, confirmados: confirmados[i] ?? 0 }]
    }),
  )
}

export function casosOf(contagem: ContagemSemanal | undefined, classe: Conjunto): number {
  if (contagem === undefined) return 0
  if (classe === 'notificados') return contagem.notificados
  return classe === 'provaveis' ? contagem.notificados - contagem.descartados : (contagem.confirmados ?? 0)
}

/** All that rates are computed from: the cases of a place, and its residents. */
export interface LugarContado {
  serie: SerieSemanal
  /** The part of `serie` that lives in municipalities without population: counted, but in no rate. */
  semPopulacao: SerieSemanal
  /** Residents in a year; null: unknown. */
  populacao(ano: number): number | null
  /** Year that the figure is of. */
  populacaoAno(ano: number): number | null
}

/** Cases of the weeks from `first` to `last`. */
export function casosBetween(
  { serie }: Pick<LugarContado, 'serie'>,
  classe: Conjunto,
  first: number,
  last: number,
): number {
  let total = 0
  if (serie.size > 0) for (let week = first; week <= last; week++) total += casosOf(serie.get(week), classe)
  return total
}

/** Cases of each week from `first` to `last` that count in rates, those in municipalities without population left out. */
export function casosByWeek(
  { serie, semPopulacao }: Pick<LugarContado, 'serie' | 'semPopulacao'>,
  classe: Conjunto,
  first: number,
  last: number,
): Float64Array {
  const casos = new Float64Array(last - first + 1)
  for (const [week, contagem] of serie)
    if (week >= first && week <= last)
      casos[week - first] = casosOf(contagem, classe) - casosOf(semPopulacao.get(week), classe)
  return casos
}

/** Incidence of weeks of one year by the population of that year. */
export function incidenciaBetween(
  lugar: LugarContado,
  classe: Conjunto,
  first: number,
  last: number,
): number | null {
  const casos =
    casosBetween(lugar, classe, first, last) -
    casosBetween({ serie: lugar.semPopulacao }, classe, first, last)
  return ratePer100k(casos, lugar.populacao(anoOfWeek(last)))
}

export const incidenciaOf = (lugar: LugarContado, classe: Conjunto, week: number): number | null =>
  incidenciaBetween(lugar, classe, week, week)

/** First and last week of a year. */
export function weeksOfYear(ano: number): { first: number; last: number } {
  const first = firstWeekOf(ano)
  return { first, last: first + weeksIn(ano) - 1 }
}
