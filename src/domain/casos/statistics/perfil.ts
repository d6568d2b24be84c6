import type { Municipios } from '../../../brasil/municipios.ts'
import type { Db } from '../../../db/db.ts'
import type { Filter, FilterTest } from '../../../filter.ts'
import { hasProfiles, type Selection, selectionOf } from '../counters/counters.sql.ts'
import { countGrupos, countSorotipos, type GrupoDoPerfil, type SorotipoContado } from './perfil.sql.ts'
import { inMunicipios, type LugarDoRecorte, partsOfPlace } from './recorte.ts'

export type { GrupoDoPerfil, SorotipoContado } from './perfil.sql.ts'

/** Cases by classification, sex and age band, of the country and of states from counters where the period is of whole years. */

export interface PerfilPedido {
  /** Place, disease, period and all else. */
  filter: Filter
  lugar: Pick<LugarDoRecorte, 'lugares' | 'municipios'>
  municipios: Municipios
  today: string
}

export function perfilOf(db: Db, pedido: PerfilPedido): Promise<GrupoDoPerfil[]> {
  const whole = selectionOf(pedido.filter, pedido.municipios)
  return hasProfiles(whole.scope, pedido.today)
    ? countGrupos(db, [whole], 'ano')
    : countGrupos(db, partsOf(pedido), 'ever')
}

/** The same of the cases in some municipalities. */
export function perfilIn(
  db: Db,
  { filter, municipios }: PerfilPedido,
  codigos: readonly number[],
): Promise<GrupoDoPerfil[]> {
  if (codigos.length === 0) return Promise.resolve([])
  const inside = inMunicipios(codigos.map((codigo) => ({ codigo })))
  return countGrupos(db, [selectionOf({ kind: 'and', of: [filter, inside] }, municipios)], 'ever')
}

export function sorotiposOf(db: Db, pedido: PerfilPedido, byWeek: boolean): Promise<SorotipoContado[]> {
  return countSorotipos(db, partsOf(pedido), byWeek)
}

function partsOf({ filter, lugar, municipios }: PerfilPedido): Selection[] {
  const within = (place: FilterTest[]): Filter => ({ kind: 'and', of: [filter, ...place] })
  return partsOfPlace(lugar).map((place) => selectionOf(within(place), municipios))
}
