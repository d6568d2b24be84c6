import { type Problem, type ProblemCode, type ProblemParams, problem } from '../../../errors/catalogue.ts'
import { currentOf, type LiveValues } from '../../../system/live-list.ts'
import type { ProprioCompilado } from '../../casos/agravos/conferir.ts'
import type { CampoProprio } from '../../casos/agravos/definicao.ts'
import {
  CAMPOS,
  type Campo,
  CODES,
  type FieldName,
  LOCAL,
  type Local,
  MAX_LOCAIS,
  wordsOf,
} from '../../casos/campos.ts'
import { ANY_YEAR, cached, isDigits, readDate } from './values.ts'

/** Parsers for the cells of our own layout: the value a client would have sent in JSON, or the problem with it. */

export type CellResult = { value: unknown } | { problem: Problem }
export type ReadCell = (text: string) => CellResult

export function cellReader(nome: FieldName, live: LiveValues | null = null): ReadCell {
  const refuse = refusalOf(nome)
  const campo: Campo = CAMPOS[nome]
  switch (campo.kind) {
    case 'text':
      return (text) => checkText(text, campo.max, refuse) ?? { value: text }
    case 'municipio':
      return (text) => checkText(text, campo.max, refuse) ?? { value: text }
    case 'code':
      return codeReader(campo.form, refuse)
    case 'one-of':
      return oneOfReader(currentOf(campo.values, live), wordsOf(nome), refuse)
    case 'boolean':
      return (text) => BOOLEANS.get(text.toLowerCase()) ?? refuse('INVALID_TYPE', { expected: 'boolean' })
    case 'date':
      return dateReader(refuse)
    case 'integer':
    case 'number':
      return numberReader(campo, refuse)
    case 'list-of':
      return listReader((item) => oneOf(campo.values, item), campo.values.length, refuse, campo.values)
    case 'texts':
      return textsReader(campo, refuse)
    case 'locais':
      return (text) => readLocais(text) ?? refuse('INVALID_FORMAT', { expected: LOCAIS })
  }
}

/** Cells of a field that a disease has of its own; its definition checks what they say. */
export function ownCellReader({ campo, enviado }: ProprioCompilado): ReadCell {
  const refuse = refusalOf(enviado)
  switch (campo.tipo) {
    case 'bool':
      return (text) => BOOLEANS.get(text.toLowerCase()) ?? refuse('INVALID_TYPE', { expected: 'boolean' })
    case 'opcao':
      return (text) => ({ value: oneOf(codesOf(campo), text) ?? text })
    case 'opcoes':
      return (text) => ({ value: listOf(text).map((item) => oneOf(codesOf(campo), item) ?? item) })
    case 'inteiro':
    case 'numero': {
      const kind = campo.tipo === 'inteiro' ? 'integer' : 'number'
      return numberReader({ kind, min: campo.minimo as number, max: campo.maximo as number }, refuse)
    }
    case 'data':
      return dateReader(refuse)
    default:
      return (text) => ({ value: text })
  }
}

const codesOf = ({ opcoes }: CampoProprio) => opcoes.map(({ codigo }) => codigo)

const refusalOf =
  (nome: string): Refuse =>
  (code, params) => ({ problem: problem('body', nome.split('.'), code, params) })

type Refuse = <C extends ProblemCode>(code: C, params: ProblemParams[C]) => { problem: Problem }

const BOOLEANS = new Map<string, CellResult>(
  (
    [
      [true, ['true', 'sim', 's', '1', 'verdadeiro', 'yes', 'y']],
      [false, ['false', 'não', 'nao', 'n', '0', 'falso', 'no']],
    ] as const
  ).flatMap(([value, words]) => words.map((word) => [word, { value }] as const)),
)

// PostgreSQL stores neither NUL nor half a surrogate pair.
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
const lengthOf = (text: string, max: number): number => (text.length <= max ? text.length : [...text].length)

function checkText(text: string, max: number, refuse: Refuse): CellResult | null {
  if (!isStorable(text)) return refuse('INVALID_FORMAT', { expected: 'text' })
  return lengthOf(text, max) > max ? refuse('TOO_LONG', { limit: max }) : null
}

function codeReader(form: keyof typeof CODES, refuse: Refuse): ReadCell {
  const { pattern, expected } = CODES[form]
  return (text) => (pattern.test(text) ? { value: text } : refuse('INVALID_FORMAT', { expected }))
}

function oneOf(values: readonly string[], text: string): string | undefined {
  if (values.includes(text)) return text
  const folded = text.toLowerCase()
  return values.find((value) => value.toLowerCase() === folded)
}

function oneOfReader(
  values: readonly string[],
  others: ReadonlyMap<string, string>,
  refuse: Refuse,
): ReadCell {
  const words = [...values.map((value) => [value, value] as const), ...others]
  const exact = new Map(words.map(([word, value]) => [word, { value }]))
  const folded = new Map(words.map(([word, value]) => [word.toLowerCase(), { value }]))
  const allowed = words.map(([word]) => word).join(', ')
  return (text) => exact.get(text) ?? folded.get(text.toLowerCase()) ?? refuse('INVALID_VALUE', { allowed })
}

/** ISO or `dd/mm/yyyy`. */
function dateReader(refuse: Refuse): ReadCell {
  const read = cached((text) => {
    const value = isDigits(text) ? null : readDate(text, ANY_YEAR)
    return value === null ? undefined : { value }
  })
  return (text) => read(text) ?? refuse('INVALID_FORMAT', { expected: 'date' })
}

const NUMBER = /^-?\d+(?:[.,]\d+)?$/
// `150.000` may mean 150,000 or 150: refused, not guessed.
const INTEGER = /^-?\d+(?:[.,]00?)?$/

function numberReader(
  { kind, min, max }: { kind: 'integer' | 'number'; min: number; max: number },
  refuse: Refuse,
): ReadCell {
  const form = kind === 'integer' ? INTEGER : NUMBER
  return (text) => {
    if (!form.test(text)) return refuse('INVALID_TYPE', { expected: kind })
    const value = Number(text.replace(',', '.'))
    if (value < min) return refuse('TOO_SMALL', { limit: min })
    return value > max ? refuse('TOO_LARGE', { limit: max }) : { value }
  }
}

const SEPARATOR = '|'

function listReader(
  read: (item: string) => string | undefined,
  max: number,
  refuse: Refuse,
  values: readonly string[] = [],
): ReadCell {
  return (text) => {
    const items: string[] = []
    for (const given of listOf(text)) {
      const item = read(given)
      if (item === undefined) return refuse('INVALID_VALUE', { allowed: values.join(', ') })
      if (items.includes(item)) return refuse('REPEATED', {})
      if (items.length === max) return refuse('TOO_MANY', { limit: max })
      items.push(item)
    }
    return { value: items }
  }
}

/** Items separated by bars, or JSON, which the export writes where an item has bars itself. */
function listOf(text: string): string[] {
  if (text.startsWith('['))
    try {
      const given: unknown = JSON.parse(text)
      if (Array.isArray(given) && given.every((one) => typeof one === 'string')) return given
    } catch {
      // No JSON after all.
    }
  return text
    .split(SEPARATOR)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function textsReader({ max, items }: { max: number; items: number }, refuse: Refuse): ReadCell {
  const split = listReader((item) => item, items, refuse)
  return (text) => {
    const result = split(text)
    if ('problem' in result) return result
    for (const item of result.value as string[]) {
      const bad = checkText(item, max, refuse)
      if (bad !== null) return bad
    }
    return result
  }
}

const LOCAIS = 'JSON [{"local", "endereco", "periodo"}]'

function readLocais(text: string): CellResult | null {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(given) || given.length > MAX_LOCAIS) return null
  const locais = given.map(localOf)
  return locais.includes(null) ? null : { value: locais }
}

function localOf(given: unknown): Local | null {
  if (typeof given !== 'object' || given === null) return null
  const { local, endereco = null, periodo = null } = given as Record<string, unknown>
  if (typeof local !== 'string' || local.trim() === '' || !fits(local, LOCAL.local.max)) return null
  if (endereco !== null && (typeof endereco !== 'string' || !fits(endereco, LOCAL.endereco.max))) return null
  if (periodo !== null && (typeof periodo !== 'string' || !fits(periodo, LOCAL.periodo.max))) return null
  return { local, endereco, periodo }
}

const fits = (text: string, max: number): boolean => isStorable(text) && lengthOf(text, max) <= max
