import { ESTADOS_IBGE, type Uf, ufOfMunicipio } from '../../../src/brasil/uf.ts'

/** States by their codes; apart from the filter, which a form does not need. */

const UF_BY_CODE = new Map(ESTADOS_IBGE.map(({ codigo, uf }) => [codigo, uf]))

/** State of a municipality (seven digits) or a health region (five). */
export const ufOfCode = (codigo: string): Uf | null =>
  codigo.length === 7 ? ufOfMunicipio(Number(codigo)) : (UF_BY_CODE.get(Number(codigo.slice(0, 2))) ?? null)

export const estadoNome = (uf: string): string => ESTADOS_IBGE.find((one) => one.uf === uf)?.nome ?? uf
