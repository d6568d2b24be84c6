import type { Caller } from '../../caller/caller.ts'
import { covers } from '../../caller/territorio.ts'
import type { Lugar } from '../territorios/lugar.ts'
import type { AlertaBounds } from './alertas.sql.ts'

/** Places whose levels an account may know: those that lie in its territory as a whole. A part tells of the rest. */

export function seesWhole({ territorio }: Pick<Caller, 'territorio'>, lugar: Lugar): boolean {
  if (territorio === null) return true
  const { nivel, estado, codigo } = lugar
  if (nivel === 'regiao_saude' && territorio.regioes.has(Number(codigo))) return true
  return covers(territorio, { estado, municipio: nivel === 'municipio' ? Number(codigo) : null })
}

/** The same for a statement; null: no bounds. */
export function boundsOf({ territorio }: Pick<Caller, 'territorio'>): AlertaBounds | null {
  if (territorio === null) return null
  const { ufs, regioes, municipios } = territorio
  return { estados: [...ufs], regioes: [...regioes], municipios: [...municipios] }
}
