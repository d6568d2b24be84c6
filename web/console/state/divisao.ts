import type { QueryValue } from '../api/rows.ts'
import type { Filters, LeftOut } from './filter-address.ts'
import { painelQuery } from './filter-query.ts'

/** Division of the painel's country: into states, or with `mapa=municipios` in the address into municipalities. */

export const DIVISAO = 'mapa'
const MUNICIPIOS = 'municipios'

/** A state is always divided into its municipalities. */
export const isByMunicipio = ({ uf }: Pick<Filters, 'uf'>, search: string): boolean =>
  uf === null && new URLSearchParams(search).get(DIVISAO) === MUNICIPIOS

/** A division that there is not. */
export function otherDivisao(search: string): LeftOut[] {
  const value = new URLSearchParams(search).get(DIVISAO) || MUNICIPIOS
  return value === MUNICIPIOS ? [] : [{ name: DIVISAO, value }]
}

/** An address without a division, with that into municipalities. */
export const byMunicipio = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${DIVISAO}=${MUNICIPIOS}`

/** Query of the painel's numbers at an address. */
export const numbersQuery = (
  filters: Filters,
  today: string,
  search: string,
): Record<string, QueryValue> => ({
  ...painelQuery(filters, today),
  ...(isByMunicipio(filters, search) && { nivel: 'municipio' }),
})
