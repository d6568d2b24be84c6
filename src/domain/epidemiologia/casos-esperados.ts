import { NOWCAST_DELAYS } from './nowcast.ts'
import { casosBetween, casosOf, type SerieSemanal } from './serie.ts'

/**
 * Expected probable cases of each week, for alerts. Recent cases are not discarded yet, older ones are: the share that the place
 * used to discard is taken off the estimate of the last weeks, or they would always look like an epidemic.
 */

/** Weeks whose discarded cases tell the share: by their age, the last week being 0. */
const DISCARDED = { newest: 13, oldest: 40 }
const FEWEST_NOTIFIED = 30

/** Share of notified cases that are discarded in the end; 0 where there are too few to tell. */
export function discardedShare(serie: SerieSemanal, last: number): number {
  const between = (classe: 'notificados' | 'provaveis') =>
    casosBetween({ serie }, classe, last - DISCARDED.oldest, last - DISCARDED.newest)
  const notificados = between('notificados')
  return notificados < FEWEST_NOTIFIED ? 0 : (notificados - between('provaveis')) / notificados
}

/**
 * `last` is the last week that is over; `medianas` are the medians of the nowcast of notified cases. A week without one counts
 * what is known.
 */
export function casosEsperados(
  serie: SerieSemanal,
  last: number,
  medianas: ReadonlyMap<number, number>,
): (week: number) => number {
  const kept = 1 - discardedShare(serie, last)
  return (week) => {
    const contagem = serie.get(week)
    if (last - week >= NOWCAST_DELAYS) return casosOf(contagem, 'provaveis')
    const notificados = medianas.get(week) ?? casosOf(contagem, 'notificados')
    return Math.max(casosOf(contagem, 'confirmados'), kept * notificados)
  }
}
