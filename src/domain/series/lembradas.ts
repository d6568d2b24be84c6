import type { Db } from '../../db/db.ts'
import type { Periodo } from './periodos.ts'
import type { Serie } from './serie.ts'

/**
 * Caches reads of places made of many parts, by the state of the series: a state of 853 municipalities is three million values to
 * read for five hundred numbers. A reading begins after that of the series' state, so that it is never older than its key.
 */

const MOST_READINGS = 32

const byDatabase = new WeakMap<Db, Map<string, Promise<unknown>>>()

/** Question about the present values of a series. */
export interface PerguntaLembrada {
  serie: Pick<Serie, 'id' | 'estado'>
  lugares: readonly string[]
  periodo: Periodo
  first: number
  last: number
}

export function remembered<T>(
  db: Db,
  { serie, lugares, periodo, first, last }: PerguntaLembrada,
  read: () => Promise<T>,
): Promise<T> {
  const readings = readingsOf(db)
  const key = [serie.id, serie.estado, periodo, first, last, ...lugares].join()
  const reading = (readings.get(key) as Promise<T> | undefined) ?? read()
  // The last one asked for goes last; the first one is dropped.
  readings.delete(key)
  readings.set(key, reading)
  if (readings.size > MOST_READINGS) readings.delete(readings.keys().next().value as string)
  reading.catch(() => readings.delete(key))
  return reading
}

function readingsOf(db: Db): Map<string, Promise<unknown>> {
  const known = byDatabase.get(db) ?? new Map()
  byDatabase.set(db, known)
  return known
}
