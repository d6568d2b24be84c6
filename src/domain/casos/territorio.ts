import { ufOfMunicipio } from '../../brasil/uf.ts'
import type { Caller } from '../../caller/caller.ts'
import { covers, type Territorio } from '../../caller/territorio.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { Filter } from '../../filter.ts'
import type { Campos, FieldName } from './campos.ts'
import { TERRITORIO, TERRITORIO_NOTIFICACAO } from './counters/scope.ts'

/**
 * Access rule of territories, in one place. Sets of cases (lists, statistics, map, exports) are bounded by the patient's
 * residence, as official numbers are; a list may be asked for by the place of notification instead. A single case opens to the
 * territory of residence or of notification and to the account that answers for it; to others it does not exist.
 */

type Bound = Pick<Caller, 'id' | 'territorio'>

export const ESCOPOS = ['residencia', 'notificacao'] as const
export type Escopo = (typeof ESCOPOS)[number]

/** The filter that is asked in place of the caller's. */
export function withinTerritorio(
  filter: Filter,
  { territorio }: Pick<Bound, 'territorio'>,
  escopo: Escopo = 'residencia',
): Filter {
  if (territorio === null) return filter
  const field = escopo === 'residencia' ? TERRITORIO : TERRITORIO_NOTIFICACAO
  const value = [...territorio.ufs, ...territorio.municipios]
  const asked = filter.kind === 'and' ? filter.of : [filter]
  return { kind: 'and', of: [...asked, { kind: 'test', field, op: 'in', value }] }
}

/** Places of a case. */
interface Places {
  estado_residencia: string | null
  municipio_residencia: number | null
  municipio_notificacao: number | null
}

/** With the account that answers for it. */
export interface CasoPlaces extends Places {
  responsavel_id: number | null
}

export const ACESSOS = ['residencia', 'notificacao', 'responsavel'] as const
export type Acesso = (typeof ACESSOS)[number]

/** Fields that say to which territories a case belongs. */
export const PLACE_FIELDS: readonly FieldName[] = [
  'estado_residencia',
  'municipio_residencia',
  'dados_especificos.municipio_notificacao',
]

export const placesOf = (
  caso: Pick<
    Campos,
    'estado_residencia' | 'municipio_residencia' | 'dados_especificos.municipio_notificacao'
  >,
): Places => ({
  estado_residencia: caso.estado_residencia,
  municipio_residencia: caso.municipio_residencia,
  municipio_notificacao: caso['dados_especificos.municipio_notificacao'],
})

/** Right of a territory to a case, by its places; null: none. */
function rightOf(territorio: Territorio | null, caso: Places): 'residencia' | 'notificacao' | null {
  const residence = { estado: caso.estado_residencia, municipio: caso.municipio_residencia }
  if (covers(territorio, residence)) return 'residencia'
  return covers(territorio, placeOf(caso.municipio_notificacao)) ? 'notificacao' : null
}

const placeOf = (municipio: number | null) => ({
  estado: municipio === null ? null : ufOfMunicipio(municipio),
  municipio,
})

/** True where neither residence nor notification is inside. */
export const isOutside = (territorio: Territorio | null, caso: Places): boolean =>
  rightOf(territorio, caso) === null

/** Right by which the caller opens a case; one outside is not there. */
export function assertAcesso({ id, territorio }: Bound, caso: CasoPlaces): Acesso {
  const acesso = rightOf(territorio, caso) ?? (caso.responsavel_id === id ? 'responsavel' : null)
  if (acesso === null) throw new AppError('NOT_FOUND')
  return acesso
}

/** Refuses to create a case, or to move one, to places of which none is inside. */
export function assertMayPlace({ territorio }: Bound, caso: Places): void {
  if (isOutside(territorio, caso)) throw new AppError('OUT_OF_TERRITORY')
}
