import type { LineHash } from '../../cipher.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import { lastIndexOf, type Palavra } from './nome.ts'

/** A person as one case knows them, opened; never stored. */
export interface Identidade {
  /** Words of the name; none: nothing is looked for. */
  palavras: readonly Palavra[]
  nascimento: string | null
  sexo: string | null
  municipio: number | null
  /** As it is compared (`plainBairro`). */
  bairro: string | null
}

/**
 * Blocking keys: two cases of one disease are compared where they share one. Each joins a name with a date or a place, so that the
 * number of rows of a key tells the frequency of no single name.
 */
export function textsOfChaves(
  tipo: TipoAgravo,
  { palavras, nascimento, municipio }: Pick<Identidade, 'palavras' | 'nascimento' | 'municipio'>,
): string[] {
  const [first, second] = palavras
  if (first === undefined) return []
  const primeiro = first.som
  const ultimo = (palavras[lastIndexOf(palavras)] ?? first).som
  const texts: string[] = []
  const add = (...parts: (string | number)[]) => texts.push([tipo, ...parts].join('|'))
  if (nascimento !== null) {
    const [ano = '', mes = '', dia = ''] = nascimento.split('-')
    add(1, primeiro, ultimo, ano)
    add(2, nascimento, primeiro.slice(0, 1))
    if (municipio !== null) add(3, nascimento, municipio)
    add(4, ano, ...[mes, dia].sort(), ultimo)
    // A mistaken year.
    add(7, primeiro, ultimo, mes, dia)
  }
  if (municipio !== null) {
    // Under one number: the second word of one record is the last of another that lacks a surname.
    for (const som of new Set([ultimo, second?.som ?? ultimo])) add(5, primeiro, som, municipio)
    // A misspelt first name.
    if (second !== undefined && palavras.length >= 3)
      add(6, primeiro.slice(0, 1), second.som, ultimo, municipio)
  }
  return texts
}

/** The keys as they are stored: 64 bits of a keyed hash as a decimal number. */
export const chavesOf = (hash: LineHash, tipo: TipoAgravo, identidade: Identidade): string[] => [
  ...new Set(textsOfChaves(tipo, identidade).map((text) => hash64(hash, text))),
]

/** Key of a single word, which its frequency is counted under; no case refers to it. */
export const chaveDaPalavra = (hash: LineHash, palavra: string): string => hash64(hash, `palavra|${palavra}`)

const hash64 = (hash: LineHash, text: string) => String(hash(text).readBigInt64BE())
