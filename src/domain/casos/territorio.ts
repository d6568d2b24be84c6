import { ufOfMunicipio } from '../../brasil/uf.ts'
import type { Caller } from '../../caller/caller.ts'
import { covers } from '../../caller/territorio.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { Filter } from '../../filter.ts'
import type { FieldName } from './campos.ts'
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

/** Places of a case, and the account that answers for it. */
export interface CasoPlaces {
  estado_residencia: string | null
  municipio_residencia: number | null
  municipio_notificacao: number | null
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

/** Right by which the caller may open a case; null: none. */
export function acessoTo({ id, territorio }: Bound, caso: CasoPlaces): Acesso | null {
  const residence = { estado: caso.estado_residencia, municipio: caso.municipio_residencia }
  if (covers(territorio, residence)) return 'residencia'
  if (covers(territorio, placeOf(caso.municipio_notificacao))) return 'notificacao'
  return caso.responsavel_id === id ? 'responsavel' : null
}

const placeOf = (municipio: number | null) => ({
  estado: municipio === null ? null : ufOfMunicipio(municipio),
  municipio,
})

/** A case outside is not there. */
export function assertAcesso(caller: Bound, caso: CasoPlaces): Acesso {
  const acesso = acessoTo(caller, caso)
  if (acesso === null) throw new AppError('NOT_FOUND')
  return acesso
}

/** Refuses to create a case, or to move one, to places of which none is inside. */
export function assertMayPlace({ territorio }: Bound, caso: Omit<CasoPlaces, 'responsavel_id'>): void {
  const acesso = acessoTo({ id: 0, territorio }, { ...caso, responsavel_id: null })
  if (acesso === null) throw new AppError('OUT_OF_TERRITORY')
}
