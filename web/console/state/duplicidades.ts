import { signal } from '@preact/signals'
import type { FaixaDoPar } from '../../../src/domain/casos/duplicidades/escore.ts'
import { SITUACOES } from '../../../src/domain/casos/duplicidades/situacao.ts'
import type { QueryValue } from '../api/rows.ts'
import { PATHS } from '../paths.ts'
import { type FilterRules, type Filters, type LeftOut, readFilters } from './filter-address.ts'
import { placeQuery } from './place-query.ts'
import { owner } from './session.ts'

/** The filter of the possible duplicates, which is the address of their screen. */

export const FAIXAS = ['quase_certa', 'provavel', 'possivel'] as const satisfies readonly FaixaDoPar[]

const PLACE_NAMES = ['agravo', 'uf', 'regiao', 'municipio', 'importacao'] as const
type PlaceName = (typeof PLACE_NAMES)[number]

export interface ParFilters extends Pick<Filters, PlaceName> {
  faixa: FaixaDoPar | null
  /** Null: those that nobody decided about. */
  situacao: (typeof SITUACOES)[number] | null
}

export const NO_FILTERS: ParFilters = {
  ...{ agravo: null, uf: null, regiao: null, municipio: null, importacao: null },
  ...{ faixa: null, situacao: null },
}

/** Address of the list as it was last seen: a pair leads back to it, and on to its next. */
export const lastPares = signal<string | null>(null)
owner.subscribe(() => {
  lastPares.value = null
})

interface ParesAddress {
  filters: ParFilters
  page: number
  leftOut: LeftOut[]
}

/** The address → the filter, the page, and what of it was no filter. */
export function readPares(search: string, rules: FilterRules): ParesAddress {
  const given = new URLSearchParams(search)
  const { filters: places, leftOut } = readFilters(search, rules)
  const unknown = leftOut.filter(({ name }) => PLACE_NAMES.some((one) => one === name))
  const take = <T extends string>(name: string, values: readonly T[]): T | null => {
    const value = given.get(name) ?? ''
    const found = values.find((one) => one === value) ?? null
    if (value !== '' && found === null) unknown.push({ name, value })
    return found
  }
  const { agravo, uf, regiao, municipio, importacao } = places
  const faixa = take('faixa', FAIXAS)
  const situacao = take('situacao', SITUACOES)
  const page = Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get('pagina'))) || 1))
  return { filters: { agravo, uf, regiao, municipio, importacao, faixa, situacao }, page, leftOut: unknown }
}

export function paresPath(filters: Partial<ParFilters>, page = 1): string {
  const { situacao, ...others } = { ...NO_FILTERS, ...filters }
  const entries = Object.entries({ ...others, situacao: situacao === 'pendente' ? null : situacao })
  const query = new URLSearchParams([
    ...entries.filter((entry): entry is [string, string] => entry[1] !== null),
    ...(page > 1 ? [['pagina', String(page)]] : []),
  ])
  return query.size === 0 ? PATHS.duplicidades : `${PATHS.duplicidades}?${query}`
}

/** The filter as parameters of the API. */
export function paresQuery(filters: ParFilters): Record<string, QueryValue> {
  const { agravo, importacao, faixa, situacao } = filters
  return {
    ...(agravo !== null && { tipo_agravo: agravo }),
    ...placeQuery(filters),
    ...(importacao !== null && { importacao_id: importacao }),
    ...(faixa !== null && { faixa }),
    situacao: situacao ?? 'pendente',
  }
}
