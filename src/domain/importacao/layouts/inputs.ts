import { type Problem, type ProblemCode, type ProblemParams, problem } from '../../../errors/catalogue.ts'
import { CAMPOS, type Campo, type Local, type NomeDeCampo } from '../../casos/campos.ts'
import { ANY_YEAR, isDigits, readDate } from './values.ts'

/** One cell of our own layout → what a client would have sent in JSON for that field, or what is wrong with it. */

export type Lido = { value: unknown } | { problem: Problem }
export type LerCampo = (texto: string) => Lido

export function lerCampoOf(nome: NomeDeCampo): LerCampo {
  const path = nome.split('.')
  const refuse: Refuse = (code, params) => ({ problem: problem('body', path, code, params) })
  const campo: Campo = CAMPOS[nome]
  switch (campo.kind) {
    case 'text':
      return (texto) => checkText(texto, campo.max, refuse) ?? { value: texto }
    case 'municipio':
      return (texto) => checkText(texto, 100, refuse) ?? { value: texto }
    case 'code':
      return lerCode(campo.form, refuse)
    case 'one-of':
      return lerOneOf(campo.values, nome === 'dados_laboratoriais.igm' ? IGM : {}, refuse)
    case 'boolean':
      return (texto) => BOOLEANS.get(texto.toLowerCase()) ?? refuse('INVALID_TYPE', { expected: 'boolean' })
    case 'date':
      return lerDate(refuse)
    case 'integer':
    case 'number':
      return lerNumber(campo, refuse)
    case 'list-of':
      return lerList((item) => oneOf(campo.values, item), campo.values.length, refuse, campo.values)
    case 'texts':
      return lerTexts(campo, refuse)
    case 'locais':
      return (texto) => lerLocais(texto) ?? refuse('INVALID_FORMAT', { expected: LOCAIS })
  }
}

type Refuse = <C extends ProblemCode>(code: C, params: ProblemParams[C]) => { problem: Problem }

/** The form's result of an IgM test has words of its own. */
const IGM: Record<string, string> = { reagente: 'positivo', nao_reagente: 'negativo' }

const BOOLEANS = new Map<string, Lido>(
  (
    [
      [true, ['true', 'sim', 's', '1', 'verdadeiro', 'yes', 'y']],
      [false, ['false', 'não', 'nao', 'n', '0', 'falso', 'no']],
    ] as const
  ).flatMap(([value, words]) => words.map((word) => [word, { value }] as const)),
)

// No NUL, no half of a surrogate pair: PostgreSQL could not store them.
const isStorable = (texto: string): boolean => !texto.includes('\0') && texto.isWellFormed()
const lengthOf = (texto: string, max: number): number =>
  texto.length <= max ? texto.length : [...texto].length

function checkText(texto: string, max: number, refuse: Refuse): Lido | null {
  if (!isStorable(texto)) return refuse('INVALID_FORMAT', { expected: 'text' })
  return lengthOf(texto, max) > max ? refuse('TOO_LONG', { limit: max }) : null
}

const CODES = {
  cep: [/^\d{5}-?\d{3}$/, 'cep'],
  cnes: [/^\d{1,7}$/, 'cnes'],
  telefone: [/^\(\d{2}\) \d{4,5}-\d{4}$/, 'phone'],
} as const

function lerCode(form: keyof typeof CODES, refuse: Refuse): LerCampo {
  const [pattern, expected] = CODES[form]
  return (texto) => (pattern.test(texto) ? { value: texto } : refuse('INVALID_FORMAT', { expected }))
}

function oneOf(values: readonly string[], texto: string): string | undefined {
  if (values.includes(texto)) return texto
  const folded = texto.toLowerCase()
  return values.find((value) => value.toLowerCase() === folded)
}

function lerOneOf(values: readonly string[], others: Record<string, string>, refuse: Refuse): LerCampo {
  const words = [...values.map((value) => [value, value] as const), ...Object.entries(others)]
  const exact = new Map(words.map(([word, value]) => [word, { value }]))
  const folded = new Map(words.map(([word, value]) => [word.toLowerCase(), { value }]))
  const allowed = words.map(([word]) => word).join(', ')
  return (texto) =>
    exact.get(texto) ?? folded.get(texto.toLowerCase()) ?? refuse('INVALID_VALUE', { allowed })
}

/** ISO or `dd/mm/yyyy`. */
function lerDate(refuse: Refuse): LerCampo {
  return (texto) => {
    const value = isDigits(texto) ? null : readDate(texto, ANY_YEAR)
    return value === null ? refuse('INVALID_FORMAT', { expected: 'date' }) : { value }
  }
}

const NUMBER = /^-?\d+(?:[.,]\d+)?$/
// `150.000` is a hundred and fifty thousand to whoever wrote it, or 150: not to be guessed.
const INTEGER = /^-?\d+(?:[.,]00?)?$/

function lerNumber(
  { kind, min, max }: { kind: 'integer' | 'number'; min: number; max: number },
  refuse: Refuse,
): LerCampo {
  const form = kind === 'integer' ? INTEGER : NUMBER
  return (texto) => {
    if (!form.test(texto)) return refuse('INVALID_TYPE', { expected: kind })
    const value = Number(texto.replace(',', '.'))
    if (value < min) return refuse('TOO_SMALL', { limit: min })
    return value > max ? refuse('TOO_LARGE', { limit: max }) : { value }
  }
}

const SEPARATOR = '|'

function lerList(
  read: (item: string) => string | undefined,
  max: number,
  refuse: Refuse,
  values: readonly string[] = [],
): LerCampo {
  return (texto) => {
    const items: string[] = []
    for (const given of listOf(texto)) {
      const item = read(given)
      if (item === undefined) return refuse('INVALID_VALUE', { allowed: values.join(', ') })
      if (items.includes(item)) return refuse('REPEATED', {})
      if (items.length === max) return refuse('TOO_MANY', { limit: max })
      items.push(item)
    }
    return { value: items }
  }
}

/** With bars between, or as JSON, which the export writes where an item has bars itself. */
function listOf(texto: string): string[] {
  if (texto.startsWith('['))
    try {
      const given: unknown = JSON.parse(texto)
      if (Array.isArray(given) && given.every((one) => typeof one === 'string')) return given
    } catch {
      // A text that only begins like one.
    }
  return texto
    .split(SEPARATOR)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function lerTexts({ max, items }: { max: number; items: number }, refuse: Refuse): LerCampo {
  const split = lerList((item) => item, items, refuse)
  return (texto) => {
    const lido = split(texto)
    if ('problem' in lido) return lido
    for (const item of lido.value as string[]) {
      const bad = checkText(item, max, refuse)
      if (bad !== null) return bad
    }
    return lido
  }
}

const LOCAIS = 'JSON [{"local", "endereco", "periodo"}]'
const MAX_LOCAIS = 50

function lerLocais(texto: string): Lido | null {
  let given: unknown
  try {
    given = JSON.parse(texto)
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
  if (typeof local !== 'string' || local.trim() === '' || !fits(local, 200)) return null
  if (endereco !== null && (typeof endereco !== 'string' || !fits(endereco, 300))) return null
  if (periodo !== null && (typeof periodo !== 'string' || !fits(periodo, 100))) return null
  return { local, endereco, periodo }
}

const fits = (texto: string, max: number): boolean => isStorable(texto) && lengthOf(texto, max) <= max
