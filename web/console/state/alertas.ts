import type { QueryValue } from '../api/rows.ts'
import { PATHS } from '../paths.ts'
import { emptyFilters, type FilterRules, type Filters, type LeftOut, readFilters } from './filter-address.ts'
import { placeQuery } from './place-query.ts'

/** Levels of alert from the lowest on, and the filter of the alerts, which is the address of their screen. */

export const NIVEIS = ['verde', 'amarelo', 'laranja', 'vermelho'] as const
export type Nivel = (typeof NIVEIS)[number]
export const SITUACOES = ['abertos', 'reconhecidos'] as const
export type Situacao = (typeof SITUACOES)[number]

const PLACE_NAMES = ['agravo', 'uf', 'regiao', 'municipio'] as const
type PlaceName = (typeof PLACE_NAMES)[number]

export interface AlertaFilters extends Pick<Filters, PlaceName> {
  nivel: Nivel | null
  situacao: Situacao | null
}

export const NO_FILTERS: AlertaFilters = {
  ...{ agravo: null, uf: null, regiao: null, municipio: null },
  ...{ nivel: null, situacao: null },
}

interface AlertasAddress {
  filters: AlertaFilters
  page: number
  leftOut: LeftOut[]
}

/** The address → the filter, the page, and what of it was no filter. */
export function readAlertas(search: string, rules: FilterRules): AlertasAddress {
  const given = new URLSearchParams(search)
  const { filters: places, leftOut } = readFilters(search, rules)
  const unknown = leftOut.filter(({ name }) => PLACE_NAMES.some((one) => one === name))
  const take = <T extends string>(name: string, values: readonly T[]): T | null => {
    const value = given.get(name) ?? ''
    const found = values.find((one) => one === value) ?? null
    if (value !== '' && found === null) unknown.push({ name, value })
    return found
  }
  const { agravo, uf, regiao, municipio } = places
  const nivel = take('nivel', NIVEIS)
  const situacao = take('situacao', SITUACOES)
  const page = Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get('pagina'))) || 1))
  return { filters: { agravo, uf, regiao, municipio, nivel, situacao }, page, leftOut: unknown }
}

export function alertasPath(filters: Partial<AlertaFilters>, page = 1): string {
  const entries = Object.entries({ ...NO_FILTERS, ...filters }).filter(([, value]) => value !== null)
  const query = new URLSearchParams([...entries, ...(page > 1 ? [['pagina', page]] : [])] as string[][])
  return query.size === 0 ? PATHS.alertas : `${PATHS.alertas}?${query}`
}

/** The filter as parameters of the API. */
export function alertasQuery(filters: AlertaFilters): Record<string, QueryValue> {
  const { agravo, nivel, situacao } = filters
  return {
    ...(agravo !== null && { tipo_agravo: agravo }),
    ...placeQuery(filters),
    ...(nivel !== null && { nivel }),
    ...(situacao !== null && { reconhecido: String(situacao === 'reconhecidos') }),
  }
}

/** A place of the API as the place of a filter. */
export function placeFilters({ nivel, codigo }: { nivel: string; codigo: string | null }) {
  const none = { uf: null, regiao: null, municipio: null }
  if (nivel === 'municipio') return { ...none, municipio: codigo }
  if (nivel === 'regiao_saude') return { ...none, regiao: codigo }
  return { ...none, uf: nivel === 'estado' ? codigo : null }
}

/** All that is taken for granted, but a disease and a place. */
export const casesFilters = (
  rules: FilterRules,
  agravo: string,
  lugar: { nivel: string; codigo: string | null },
): Filters => ({ ...emptyFilters(rules), agravo, ...placeFilters(lugar) })
