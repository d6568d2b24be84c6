import type { Municipio } from '../../../brasil/municipios.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import type { Lugar } from '../../territorios/lugar.ts'
import { type ScopePlace, scopeOf } from '../counters/scope.ts'
import { withinTerritorio } from '../territorio.ts'

/** Place of a request, cut by the territory of the caller. */
export interface LugarNoAlcance {
  /** As it was asked for. */
  lugar: Lugar
  /** True where a part of it lies outside of the caller's territory. */
  parcial: boolean
  /** Places to ask the counters for; null: the country. */
  lugares: readonly ScopePlace[] | null
  municipios: readonly Municipio[]
}

/** Empty where the place lies outside altogether: numbers are then zero, not refused, as in every statistic (D-190). */
export function withinCaller(
  { municipios, territorios }: Pick<App, 'municipios' | 'territorios'>,
  caller: Pick<Caller, 'territorio'>,
  lugar: Lugar,
): LugarNoAlcance {
  const filter = filterOf(lugar)
  const placesOf = (asked: Filter) => scopeOf(asked, municipios)?.lugares ?? null
  const lugares = placesOf(withinTerritorio(filter, caller))
  return {
    lugar,
    parcial: keysOf(lugares) !== keysOf(placesOf(filter)),
    lugares,
    municipios:
      lugares?.flatMap(({ uf, codigo }) =>
        codigo === null ? territorios.municipiosOf(uf) : (municipios.byCodigo(codigo) ?? []),
      ) ?? municipios.all,
  }
}

function filterOf({ nivel, estado, municipios }: Lugar): Filter {
  if (nivel === 'pais') return { kind: 'and', of: [] }
  if (nivel === 'estado') return { kind: 'test', field: 'estado', op: 'eq', value: estado as string }
  const value = municipios.map(({ codigo }) => String(codigo))
  return { kind: 'test', field: 'municipio', op: 'in', value }
}

const keysOf = (lugares: readonly ScopePlace[] | null) =>
  lugares
    ?.map(({ uf, codigo }) => `${uf}${codigo}`)
    .sort()
    .join() ?? null
