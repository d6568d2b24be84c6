import { semanaAt, weekOf } from '../../brasil/epi-week.ts'
import { round } from '../../statistics/rounding.ts'
import type { DelayedCases } from '../casos/counters/semanas.ts'
import { LAST_DELAY, sharesOf } from './completude.ts'

/** Time that records take from onset to entry, and how complete each recent week is. */

export interface AtrasosDoLugar {
  /** Share of the cases that come after each number of weeks; null: too few cases. */
  distribuicao: { semanas: number; pct: number; acumulado_pct: number }[] | null
  mediana_semanas: number | null
  p90_semanas: number | null
  motivo: 'poucos_casos' | null
  /** Cases of the weeks of `por_semana` without an entry date. */
  sem_digitacao: number
  por_semana: { semana: string; conhecidos: number; completude: number | null }[]
}

const SHARE_DECIMALS = 6

/** `ended` is the last week that is over; with `isReconstructed` nothing counts that was entered after it. */
export function atrasosOf(
  delays: readonly DelayedCases[],
  { ended, semanas, isReconstructed }: { ended: number; semanas: number; isReconstructed: boolean },
): AtrasosDoLugar {
  const shares = sharesOf(delays, ended, semanas)
  const known = new Map<number, number>()
  let sem_digitacao = 0
  for (const { inicio, atraso, total } of delays) {
    const week = weekOf(inicio)
    if (atraso < 0 && week > ended - semanas) sem_digitacao += total
    if (isReconstructed && (atraso < 0 || week + atraso > ended)) continue
    known.set(week, (known.get(week) ?? 0) + total)
  }
  const completudeOf = (age: number) => (age >= LAST_DELAY ? 1 : (shares?.[age] ?? null))
  const reached = (share: number) => shares?.findIndex((known) => known >= share) ?? null
  return {
    distribuicao: shares?.map((share, semanas) => toDelay(shares, share, semanas)) ?? null,
    mediana_semanas: reached(0.5),
    p90_semanas: reached(0.9),
    motivo: shares === null ? 'poucos_casos' : null,
    sem_digitacao,
    por_semana: Array.from({ length: semanas }, (_, i) => {
      const week = ended - semanas + 1 + i
      const completude = completudeOf(ended - week)
      return {
        semana: semanaAt(week).codigo,
        conhecidos: known.get(week) ?? 0,
        completude: completude === null ? null : round(completude, SHARE_DECIMALS),
      }
    }),
  }
}

function toDelay(shares: readonly number[], share: number, semanas: number) {
  const before = shares[semanas - 1] ?? 0
  return {
    semanas,
    pct: round(100 * (share - before), SHARE_DECIMALS),
    acumulado_pct: round(100 * share, SHARE_DECIMALS),
  }
}
