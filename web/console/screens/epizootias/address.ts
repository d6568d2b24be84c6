import { isCalendarDate } from '../../../../src/brasil/calendar.ts'
import { UFS } from '../../../../src/brasil/uf.ts'
import { CLASSIFICACOES_DE_EPIZOOTIA, ESPECIE_GRUPOS } from '../../../../src/domain/epizootias/campos.ts'
import type { QueryValue } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'
import { ufOfCode } from '../../state/estados.ts'
import type { Order } from '../../state/pages.ts'
import { placeQuery } from '../../state/place-query.ts'

/** The filter of events, which is the address of their screen; list, numbers and map follow it. */

const SORTABLE = [
  ...(['data_ocorrencia', 'numero', 'estado', 'suspeita'] as const),
  ...(['especie_grupo', 'classificacao'] as const),
] as const
const DEFAULT_ORDER: Order = { by: 'data_ocorrencia', direction: 'desc' }

export const VISTAS = ['lista', 'mapa', 'meses'] as const

export interface EpizootiaFilters {
  busca: string | null
  uf: string | null
  regiao: string | null
  municipio: string | null
  suspeita: string | null
  grupo: (typeof ESPECIE_GRUPOS)[number] | null
  classificacao: (typeof CLASSIFICACOES_DE_EPIZOOTIA)[number] | null
  de: string | null
  ate: string | null
  importacao: string | null
}

export const NO_FILTERS: EpizootiaFilters = {
  ...{ busca: null, uf: null, regiao: null, municipio: null, suspeita: null },
  ...{ grupo: null, classificacao: null, de: null, ate: null, importacao: null },
}

export interface EpizootiasAddress {
  filters: EpizootiaFilters
  vista: (typeof VISTAS)[number]
  order: Order
  page: number
}

/** The address → filter, view, order and page; a value that is none is no filter. */
export function readEpizootias(search: string): EpizootiasAddress {
  const given = new URLSearchParams(search)
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | null =>
    values.find((value) => value === given.get(name)) ?? null
  const like = (name: string, pattern: RegExp) => {
    const value = given.get(name) ?? ''
    return pattern.test(value) ? value : null
  }
  const placeCode = (name: string, pattern: RegExp) => {
    const code = like(name, pattern)
    return code !== null && ufOfCode(code) !== null ? code : null
  }
  const day = (name: string) => {
    const value = given.get(name) ?? ''
    return isCalendarDate(value) ? value : null
  }
  const municipio = placeCode('municipio', /^\d{7}$/)
  const regiao = municipio === null ? placeCode('regiao', /^\d{5}$/) : null
  const inside = municipio ?? regiao
  const [, sign, by = ''] = /^(-?)(.*)$/.exec(given.get('ordem') ?? '') ?? []
  return {
    filters: {
      busca: given.get('busca')?.trim().slice(0, 200) || null,
      uf: inside === null ? oneOf('uf', UFS) : ufOfCode(inside),
      regiao,
      municipio,
      suspeita: like('suspeita', /^[a-z][a-z0-9_]{1,39}$/),
      grupo: oneOf('grupo', ESPECIE_GRUPOS),
      classificacao: oneOf('classificacao', CLASSIFICACOES_DE_EPIZOOTIA),
      de: day('de'),
      ate: day('ate'),
      importacao: like('importacao', /^[1-9]\d{0,8}$/),
    },
    vista: oneOf('vista', VISTAS) ?? 'lista',
    order: SORTABLE.some((one) => one === by)
      ? { by, direction: sign === '-' ? 'desc' : 'asc' }
      : DEFAULT_ORDER,
    page: Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get('pagina'))) || 1)),
  }
}

export function epizootiasPath(address: Partial<EpizootiasAddress>): string {
  const { filters = NO_FILTERS, vista = 'lista', order = DEFAULT_ORDER, page = 1 } = address
  const isDefault = order.by === DEFAULT_ORDER.by && order.direction === DEFAULT_ORDER.direction
  const entries = Object.entries({
    ...filters,
    uf: filters.municipio === null && filters.regiao === null ? filters.uf : null,
    vista: vista === 'lista' ? null : vista,
    ordem: isDefault ? null : `${order.direction === 'desc' ? '-' : ''}${order.by}`,
    pagina: page > 1 ? String(page) : null,
  }).filter((entry): entry is [string, string] => entry[1] !== null)
  const query = new URLSearchParams(entries)
  return query.size === 0 ? PATHS.epizootias : `${PATHS.epizootias}?${query}`
}

/** The filter as parameters of the numbers by month, which know neither text nor import. */
export function mesesQuery(filters: EpizootiaFilters): Record<string, QueryValue> {
  const { suspeita, grupo, classificacao, de, ate } = filters
  return {
    agregacao: 'mes',
    ...placeQuery(filters),
    ...(suspeita !== null && { suspeita }),
    ...(grupo !== null && { especie_grupo: grupo }),
    ...(classificacao !== null && { classificacao }),
    ...(de !== null && { inicio: de }),
    ...(ate !== null && { fim: ate }),
  }
}

/** The filter as parameters of list and map. A search that looks like JSON would be read as a tree there. */
export function epizootiasQuery(filters: EpizootiaFilters): Record<string, QueryValue> {
  const { busca, suspeita, grupo, classificacao, de, ate, importacao } = filters
  return {
    ...(busca !== null && !busca.startsWith('{') && { search: busca }),
    ...placeQuery(filters),
    ...(suspeita !== null && { suspeita }),
    ...(grupo !== null && { especie_grupo: grupo }),
    ...(classificacao !== null && { classificacao }),
    ...(de !== null && { 'data_ocorrencia[gte]': de }),
    ...(ate !== null && { 'data_ocorrencia[lte]': ate }),
    ...(importacao !== null && { importacao_id: importacao }),
  }
}
