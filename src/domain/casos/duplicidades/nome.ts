import { BoundedMap } from '../../../system/bounded-map.ts'
import { PARTICLES } from '../sigilo.ts'

/** Words of a name and the sound of a word, for names that were written down twice. */

/** Part of a name that tells relatives apart and is never a surname. */
const SUFFIXES: ReadonlySet<string> = new Set([
  'JUNIOR',
  'JR',
  'FILHO',
  'FILHA',
  'NETO',
  'NETA',
  'SOBRINHO',
  'SOBRINHA',
])

/** Words that stand where no name is known. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'IGNORADO',
  'IGNORADA',
  'DESCONHECIDO',
  'DESCONHECIDA',
  'IDENTIFICADO',
  'IDENTIFICADA',
  'INFORMADO',
  'INFORMADA',
  'INDIGENTE',
  'PACIENTE',
  'TESTE',
  'NAO',
  'SEM',
  'NOME',
])

const MAX_WORDS = 12

/** Without accents, in capitals and without particles. None for a name that says nothing. */
export function wordsOf(nome: string): string[] {
  const parts = nome
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '')
  if (parts.every((part) => PLACEHOLDERS.has(part))) return []
  const names = parts.filter((part) => !PARTICLES.has(part.toLowerCase()))
  return (names.length > 0 ? names : parts).slice(0, MAX_WORDS)
}

/** A word of a name, and its sound. */
export interface Palavra {
  texto: string
  som: string
}

/** Place of the surname: of the last word that is no suffix. */
export function lastIndexOf(palavras: readonly Pick<Palavra, 'texto'>[]): number {
  const found = palavras.findLastIndex(({ texto }, i) => i > 0 && !SUFFIXES.has(texto))
  return found === -1 ? 0 : found
}

/** Replacements in their order. Cedillas are gone by now: only the ending `-CAO` still tells one. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/PH/g, 'F'],
  [/TH/g, 'T'],
  [/W/g, 'V'],
  [/Y/g, 'I'],
  [/LH/g, 'LI'],
  [/NH/g, 'NI'],
  [/SCH|SH|CH/g, 'X'],
  [/QU(?=[EI])/g, 'K'],
  [/Q/g, 'K'],
  [/S?C(?=[EI])/g, 'S'],
  [/C(?=AO$)/g, 'S'],
  [/C/g, 'K'],
  [/G(?=[EI])/g, 'J'],
  [/GU(?=[EI])/g, 'G'],
  [/[ZÇ]/g, 'S'],
  [/H/g, ''],
  [/(.)\1+/g, '$1'],
  [/L(?![AEIOU])/g, 'U'],
  [/[NM](?![AEIOU])/g, 'M'],
  [/S$/, ''],
  [/(?<=.)[AEIOU]/g, ''],
]

/** Code that words of one sound share: SOUZA and SOUSA, LUIZ and LUIS. */
export function fon(word: string): string {
  let code = word
  for (const [pattern, sound] of SOUNDS) code = code.replace(pattern, sound)
  return code === '' ? word : code
}

const palavraOf = (texto: string): Palavra => ({ texto, som: fon(texto) })

/** Words of one name. */
export const palavrasOf = (nome: string): Palavra[] => wordsOf(nome).map(palavraOf)

/** Sounds that are remembered: a few thousand names make up nearly all words. */
const MOST_REMEMBERED = 20_000

/** Words of names with their sounds, which are computed once for each word. */
export function createPalavras(): (nome: string) => Palavra[] {
  const known = new BoundedMap<string, Palavra>(MOST_REMEMBERED)
  const remembered = (texto: string): Palavra => {
    const before = known.get(texto)
    if (before !== undefined) return before
    const palavra = palavraOf(texto)
    known.set(texto, palavra)
    return palavra
  }
  return (nome) => wordsOf(nome).map(remembered)
}
