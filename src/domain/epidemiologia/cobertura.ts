import { anoOfWeek, sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Db } from '../../db/db.ts'
import { listNotifiedWeeks } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { weeksOfYear } from './serie.ts'

/** Weeks with notified cases that make a year a covered one. */
const COVERING_WEEKS = 10

/**
 * Years in which a disease was notified, by state ('' for the country): a year without data must not be taken for one without cases.
 * Of the whole state, also to accounts that see a part of it: it tells that data exist, and no number (D-232).
 */
export async function coveredYears(
  db: Db,
  tipo: TipoAgravo,
  ufs: readonly string[] | null,
  anos: { from: number; to: number },
): Promise<Map<string, ReadonlySet<number>>> {
  const weeks = await listNotifiedWeeks(db, {
    tipo,
    ufs,
    from: sundayOfWeek(weeksOfYear(anos.from).first),
    to: sundayOfWeek(weeksOfYear(anos.to).last),
  })
  const byPlace = Map.groupBy(weeks, ({ lugar }) => lugar)
  return new Map(
    [...byPlace].map(([lugar, all]) => [lugar, coveredIn(all.map(({ inicio }) => weekOf(inicio)))]),
  )
}

function coveredIn(weeks: readonly number[]): ReadonlySet<number> {
  const byYear = Map.groupBy(weeks, anoOfWeek)
  return new Set([...byYear].filter(([, all]) => all.length >= COVERING_WEEKS).map(([ano]) => ano))
}
