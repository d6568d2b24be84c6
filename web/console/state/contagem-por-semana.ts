import { anoOfWeek, weekOf } from '../../../src/brasil/epi-week.ts'
import type { Filters } from './filter-address.ts'
import { casosQuery } from './filter-query.ts'
import { type Periodo, semanasOf, YEARS } from './periodo.ts'

/** Cases of every period that can be chosen, by those of its weeks: one request for all of them. */

const weeksOf = (today: string) => {
  const ano = anoOfWeek(weekOf(today))
  return { de: `${ano - YEARS + 1}01`, ate: semanasOf({ kind: 'ano', ano }, today)?.ate as string }
}

/** By weeks of the list: a case of no week is in no period by onset either. */
export const weeksQuery = (filters: Filters, today: string) => ({
  ...casosQuery({ ...filters, periodo: { kind: 'semanas', ...weeksOf(today) } }, today),
  agregacao: 'semana',
  data_base: filters.base,
  metricas: 'total',
})

/** Null before the weeks that were asked for, where days cut weeks, and without limits, where cases of no week belong to it. */
export function casesIn(weeks: ReadonlyMap<string, number>, periodo: Periodo, today: string): number | null {
  const limits = periodo.kind === 'datas' ? null : semanasOf(periodo, today)
  if (limits === null || limits.de < weeksOf(today).de) return null
  let sum = 0
  for (const [codigo, cases] of weeks) if (codigo >= limits.de && codigo <= limits.ate) sum += cases
  return sum
}
