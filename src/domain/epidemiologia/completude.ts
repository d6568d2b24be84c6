import { sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Db } from '../../db/db.ts'
import { completeness } from '../../statistics/chain-ladder.ts'
import type { ScopePlace } from '../casos/counters/scope.ts'
import { type Conjunto, type DelayedCases, listDelays } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'

/** Share of its cases that each recent week of onset should have by now, from the delays of the weeks before it. */

/** Weeks after which a week counts as complete. */
export const LAST_DELAY = 26
/** Weeks that each step of the estimate is made of, unless said otherwise. */
export const ROWS = 26
/** Cases below which delays say nothing. */
export const FEWEST_CASES = 50

export interface CompletudePedida {
  tipo: TipoAgravo
  lugares: readonly ScopePlace[] | null
  casos: Conjunto
  /** Last week that is over. */
  ended: number
  rows?: number
}

/**
 * Completeness by week. Null for recent weeks where there are too few cases, and of confirmed cases, whose delays are not counted.
 */
export async function completudeOf(
  db: Db,
  pedido: CompletudePedida,
): Promise<(week: number) => number | null> {
  const { ended, rows = ROWS } = pedido
  const shares = pedido.casos === 'confirmados' ? null : sharesOf(await delaysOf(db, pedido), ended, rows)
  return (week) => (week <= ended - LAST_DELAY ? 1 : (shares?.[ended - week] ?? null))
}

/** Delays of all rows that an estimate reads. */
export async function delaysOf(
  db: Db,
  { tipo, lugares, casos, ended, rows = ROWS }: CompletudePedida,
): Promise<DelayedCases[]> {
  const first = ended - LAST_DELAY - rows + 1
  const delays = await listDelays(db, { tipo, lugares, from: sundayOfWeek(first), to: sundayOfWeek(ended) })
  return ofConjunto(delays, casos)
}

/** Counters of delays tell discarded cases from others. */
export const ofConjunto = (delays: readonly DelayedCases[], casos: Conjunto): DelayedCases[] =>
  delays.filter(({ situacao }) => casos === 'notificados' || situacao === 'p')

/** Shares after 0, 1, … weeks; null: too few cases. */
export function sharesOf(delays: readonly DelayedCases[], ended: number, rows = ROWS): number[] | null {
  const cells = new Map<number, number[]>()
  let known = 0
  for (const { inicio, atraso, total } of delays) {
    const week = weekOf(inicio)
    if (atraso < 0 || atraso > LAST_DELAY || week + atraso > ended) continue
    const row = cells.get(week) ?? new Array<number>(LAST_DELAY + 1).fill(0)
    row[atraso] = (row[atraso] as number) + total
    cells.set(week, row)
    known += total
  }
  if (known < FEWEST_CASES) return null
  const at = (week: number, delay: number) => cells.get(week)?.[delay] ?? 0
  return completeness({ at }, { now: ended, rows, last: LAST_DELAY })
}
