import { PERIODOS } from '../../../../src/domain/series/periodos.ts'
import { DOMINIOS, TEMAS } from '../../../../src/domain/series/serie.ts'
import type { QueryValue } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'
import type { Order } from '../../state/pages.ts'

/** The filter of the catalogue, which is the address of its screen. Archived series are left out unless they are asked for. */

export const SITUACOES = ['com_valores', 'arquivadas', 'todas'] as const
const SORTABLE = ['nome', 'dominio', 'valores', 'ultimo'] as const
const DEFAULT_ORDER: Order = { by: 'nome', direction: 'asc' }

export interface SerieFilters {
  busca: string | null
  dominio: (typeof DOMINIOS)[number] | null
  tema: (typeof TEMAS)[number] | null
  periodo: (typeof PERIODOS)[number] | null
  situacao: (typeof SITUACOES)[number] | null
}

export const NO_FILTERS: SerieFilters = {
  ...{ busca: null, dominio: null, tema: null },
  ...{ periodo: null, situacao: null },
}

export interface SeriesAddress {
  filters: SerieFilters
  order: Order
  page: number
}

/** The address → filter, order and page; a value that is none is no filter. */
export function readSeries(search: string): SeriesAddress {
  const given = new URLSearchParams(search)
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | null =>
    values.find((value) => value === given.get(name)) ?? null
  const [, sign, by = ''] = /^(-?)(.*)$/.exec(given.get('ordem') ?? '') ?? []
  return {
    filters: {
      busca: given.get('busca')?.trim().slice(0, 200) || null,
      dominio: oneOf('dominio', DOMINIOS),
      tema: oneOf('tema', TEMAS),
      periodo: oneOf('periodo', PERIODOS),
      situacao: oneOf('situacao', SITUACOES),
    },
    order: SORTABLE.some((one) => one === by)
      ? { by, direction: sign === '-' ? 'desc' : 'asc' }
      : DEFAULT_ORDER,
    page: Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get('pagina'))) || 1)),
  }
}

export function seriesPath({ filters, order = DEFAULT_ORDER, page = 1 }: Partial<SeriesAddress>): string {
  const isDefault = order.by === DEFAULT_ORDER.by && order.direction === DEFAULT_ORDER.direction
  const entries = Object.entries({
    ...filters,
    ordem: isDefault ? null : `${order.direction === 'desc' ? '-' : ''}${order.by}`,
    pagina: page > 1 ? String(page) : null,
  }).filter((entry): entry is [string, string] => entry[1] !== null)
  const query = new URLSearchParams(entries)
  return query.size === 0 ? PATHS.series : `${PATHS.series}?${query}`
}

/** The filter as parameters of the API. A search that looks like JSON would be read as a tree there. */
export function seriesQuery(filters: SerieFilters): Record<string, QueryValue> {
  const { busca, dominio, tema, periodo, situacao } = filters
  return {
    ...(busca !== null && !busca.startsWith('{') && { search: busca }),
    ...(dominio !== null && { dominio }),
    ...(tema !== null && { tema }),
    ...(periodo !== null && { periodo }),
    ...(situacao !== 'todas' && { ativa: situacao !== 'arquivadas' }),
    ...(situacao === 'com_valores' && { com_valores: true }),
  }
}
