import type { Caller } from '../../caller/caller.ts'
import type { AlertaBounds } from './alertas.sql.ts'

/** Places whose levels an account may know (`seesWhole`), for a statement; null: no bounds. */
export function boundsOf({ territorio }: Pick<Caller, 'territorio'>): AlertaBounds | null {
  if (territorio === null) return null
  const { ufs, regioes, municipios } = territorio
  return { estados: [...ufs], regioes: [...regioes], municipios: [...municipios] }
}
