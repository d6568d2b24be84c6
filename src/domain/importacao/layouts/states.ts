import { ESTADOS_IBGE, type Uf } from '../../../brasil/uf.ts'
import { codeOf, isMissing, labelOf } from './values.ts'

const BY_TEXT = new Map<string, Uf>(
  ESTADOS_IBGE.flatMap(({ codigo, uf, nome }) => [
    [String(codigo), uf],
    [uf.toLowerCase(), uf],
    [labelOf(nome), uf],
  ]),
)

export function readUf(text: string): Uf | null | undefined {
  if (isMissing(text)) return null
  return BY_TEXT.get(codeOf(text)) ?? BY_TEXT.get(labelOf(text))
}

/** The state that a municipality's code begins with. */
export const ufOfCodigo = (codigo: string): Uf | null => BY_TEXT.get(codigo.slice(0, 2)) ?? null
