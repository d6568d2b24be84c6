import { firstWeekOf, sundayOfWeek, weeksIn } from '../../brasil/epi-week.ts'
import type { Db } from '../../db/db.ts'
import { listNotifiedYears } from '../casos/counters/semanas.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'

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
  const spans = Array.from({ length: anos.to - anos.from + 1 }, (_, i) => {
    const ano = anos.from + i
    return { ano, inicio: sundayOfWeek(firstWeekOf(ano)), semanas: weeksIn(ano) }
  })
  const years = await listNotifiedYears(db, { tipo, ufs, spans, atLeast: COVERING_WEEKS })
  const byPlace = Map.groupBy(years, ({ lugar }) => lugar)
  return new Map([...byPlace].map(([lugar, all]) => [lugar, new Set(all.map(({ ano }) => ano))]))
}
