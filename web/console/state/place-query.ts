import type { Filters } from './filter-address.ts'

/** A place as parameters of the API: a municipality or region has its state with it. */
export function placeQuery({ uf, regiao, municipio }: Pick<Filters, 'uf' | 'regiao' | 'municipio'>) {
  if (municipio !== null) return { municipio }
  if (regiao !== null) return { regiao_saude: regiao }
  return uf === null ? {} : { estado: uf as never }
}
