import { useQuery } from '@tanstack/preact-query'
import { useMemo } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../src/brasil/calendar.ts'
import type { Uf } from '../../../src/brasil/uf.ts'
import {
  addressOf,
  type FilterRules,
  type Filters,
  type LeftOut,
  placed,
  readFilters,
  readWithout,
} from '../state/filter-address.ts'
import { type PlaceNames, wordsOf } from '../state/filter-words.ts'
import { lugaresOfUf } from '../state/territorios.ts'
import { texts } from '../state/texts.ts'

/** Parameters of an address that belong to the rows of one filter and end with it. */
const OF_ROWS = ['pagina']

export interface FilterState {
  filters: Filters
  rules: FilterRules
  leftOut: LeftOut[]
  names: PlaceNames
  /** The filter in words. */
  words: { title: string; parts: string[] }
  /** Goes to the same screen with another filter. */
  change(next: Filters, replace?: boolean): void
}

/** The filter of the present address: whatever is changed is the address, so that it can be reloaded, gone back to and sent. */
export function useFilters(
  of: Omit<FilterRules, 'today'> = {},
  useNames: (filters: Filters, today: string) => PlaceNames = usePlaceNames,
): FilterState {
  const { url, path, route } = useLocation()
  const search = url.split('?')[1] ?? ''
  const today = dateInBrazil(new Date())
  const { agravo, isCounted } = of
  const rules = useMemo<FilterRules>(
    () => ({ today, ...(agravo && { agravo }), ...(isCounted && { isCounted }) }),
    [today, agravo, isCounted],
  )
  const given = useMemo(() => readFilters(search, rules), [search, rules])
  const names = useNames(given.filters, today)
  const { unknown } = names
  const read = useMemo(
    () => (unknown === undefined ? given : readWithout(unknown, search, rules)),
    [given, unknown],
  )
  const words = wordsOf(read.filters, texts(), names)
  const change = (next: Filters, replace = false) =>
    route(addressOf(path, placed(next), rules, { search, without: OF_ROWS }), replace)
  return { ...read, rules, names, words, change }
}

export function usePlaceNames({
  uf,
  municipio,
  regiao,
}: Pick<Filters, 'uf' | 'municipio' | 'regiao'>): PlaceNames {
  const isNamed = municipio !== null || regiao !== null
  const { data } = useQuery(lugaresOfUf(isNamed ? (uf as Uf | null) : null))
  const nomeOf = (codigo: string | null) => data?.find((one) => one.codigo === codigo)?.nome
  const place = municipio ?? regiao
  const isUnknown = data !== undefined && place !== null && nomeOf(place) === undefined
  return {
    municipio: nomeOf(municipio),
    regiao: nomeOf(regiao),
    unknown: isUnknown ? (municipio === null ? 'regiao' : 'municipio') : undefined,
  }
}
