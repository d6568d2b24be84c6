import type { Caller } from '../../caller/caller.ts'
import { covers } from '../../caller/territorio.ts'
import type { Lugar } from './lugar.ts'

/** Places that an account sees as a whole: those that lie in its territory. The figures of a part would tell of the rest. */
export function seesWhole(
  { territorio }: Pick<Caller, 'territorio'>,
  { nivel, estado, codigo }: Pick<Lugar, 'nivel' | 'estado' | 'codigo'>,
): boolean {
  if (territorio === null) return true
  if (nivel === 'regiao_saude' && territorio.regioes.has(Number(codigo))) return true
  return covers(territorio, { estado, municipio: nivel === 'municipio' ? Number(codigo) : null })
}
