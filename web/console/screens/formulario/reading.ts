import {
  type Campo,
  type CampoValue,
  CODES,
  type FieldName,
  type Local,
  MAX_LOCAIS,
} from '../../../../src/domain/casos/campos.ts'
import { spelt } from '../../../../src/domain/casos/input.ts'
import {
  type Problem,
  type ProblemCode,
  type ProblemParams,
  problem,
} from '../../../../src/errors/catalogue.ts'
import { readDate, writeDate } from '../../ui/date-text.ts'
import type { Ficha } from './ficha.ts'

/** A field as it is typed: text, marked values, or places. What a draft keeps, half-typed dates included. */
export type Typed = string | string[] | Local[]

export const SIM = 'sim'
export const NAO = 'nao'
/** Said to be unknown: stored as nothing, as the service has no third value. */
export const IGNORADO = 'ignorado'

export type Read = { value: CampoValue } | { problem: Problem }

const lengthOf = (text: string) => [...text].length

/** Value of a typed field, or why there is none; by the forms that the service accepts. */
export function readField(ficha: Ficha, nome: FieldName, typed: Typed, today: string): Read {
  const refuse = <C extends ProblemCode>(code: C, params: ProblemParams[C]): Read => ({
    problem: problem('body', nome.split('.'), code, params),
  })
  const campo = ficha.campoOf(nome)
  if (typeof typed !== 'string') return readList(campo, typed, refuse)
  const text = typed.trim()
  if (text === '') return { value: null }
  if (ficha.isMunicipio(nome))
    return /^\d{7}$/.test(text)
      ? { value: Number(text) }
      : refuse('INVALID_FORMAT', { expected: 'municipio' })
  switch (campo.kind) {
    case 'boolean':
      return { value: text === IGNORADO ? null : text === SIM }
    case 'date': {
      const date = readDate(text, today)
      return date === null ? refuse('INVALID_FORMAT', { expected: 'date' }) : { value: date }
    }
    case 'integer':
    case 'number':
      return readNumber(campo, text, refuse)
    case 'code':
      return CODES[campo.form].pattern.test(withForm(campo.form, text))
        ? { value: spelt(campo, withForm(campo.form, text)) }
        : refuse('INVALID_FORMAT', { expected: CODES[campo.form].expected })
    case 'text':
      return lengthOf(text) > campo.max ? refuse('TOO_LONG', { limit: campo.max }) : { value: text }
    case 'texts':
      return readList(campo, linesOf(text), refuse)
    default:
      return { value: text as CampoValue }
  }
}

type Refuse = <C extends ProblemCode>(code: C, params: ProblemParams[C]) => Read

function readNumber(
  { kind, min, max }: { kind: 'integer' | 'number'; min: number; max: number },
  text: string,
  refuse: Refuse,
): Read {
  const value = Number(text.replace(',', '.'))
  if (!Number.isFinite(value) || (kind === 'integer' && !Number.isInteger(value)))
    return refuse('INVALID_TYPE', { expected: kind })
  if (value < min) return refuse('TOO_SMALL', { limit: min })
  return value > max ? refuse('TOO_LARGE', { limit: max }) : { value }
}

const linesOf = (text: string) => [
  ...new Set(
    text
      .split(/[\n;]/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

function readList(campo: Campo, list: string[] | Local[], refuse: Refuse): Read {
  if (campo.kind === 'locais') return readLocais(list as Local[], refuse)
  if (campo.kind === 'texts') {
    if (list.length > campo.items) return refuse('TOO_MANY', { limit: campo.items })
    if ((list as string[]).some((one) => lengthOf(one) > campo.max))
      return refuse('TOO_LONG', { limit: campo.max })
  }
  return { value: list.length === 0 ? null : (list as string[] as CampoValue) }
}

/** Rows without anything in them are left out. */
function readLocais(list: Local[], refuse: Refuse): Read {
  const text = (value: string | null) => value?.trim() || null
  const filled = list
    .map(({ local, endereco, periodo }) => ({
      local: local.trim(),
      endereco: text(endereco),
      periodo: text(periodo),
    }))
    .filter(({ local, endereco, periodo }) => local !== '' || endereco !== null || periodo !== null)
  if (filled.some(({ local }) => local === '')) return refuse('REQUIRED', {})
  if (filled.length > MAX_LOCAIS) return refuse('TOO_MANY', { limit: MAX_LOCAIS })
  return { value: filled.length === 0 ? null : filled }
}

/** Telephone numbers are typed without their punctuation. */
function withForm(form: keyof typeof CODES, text: string): string {
  const digits = text.replaceAll(/\D/g, '')
  if (form === 'telefone' && /^\d{10,11}$/.test(digits))
    return `(${digits.slice(0, 2)}) ${digits.slice(2, -4)}-${digits.slice(-4)}`
  return form === 'cnes' ? text.replaceAll(/[.\-\s]/g, '') : text
}

/** A stored value as it would be typed. */
export function writeField(ficha: Ficha, nome: FieldName, value: CampoValue | undefined): Typed {
  const campo = ficha.campoOf(nome)
  if (value === null || value === undefined) return emptyOf(ficha, nome)
  if (Array.isArray(value)) return campo.kind === 'texts' ? (value as string[]).join('\n') : (value as Typed)
  if (typeof value === 'boolean') return value ? SIM : NAO
  if (campo.kind === 'date') return writeDate(value as string)
  if (campo.kind === 'number') return String(value).replace('.', ',')
  return String(value)
}

export function emptyOf(ficha: Ficha, nome: FieldName): Typed {
  const { kind } = ficha.campoOf(nome)
  return kind === 'list-of' || kind === 'locais' ? [] : ''
}

export const isEmpty = (typed: Typed) =>
  typeof typed === 'string' ? typed.trim() === '' : typed.length === 0

/** As it is shown once the field is left: dates and telephones in their form. */
export function tidied(ficha: Ficha, nome: FieldName, typed: Typed, today: string): Typed {
  const campo = ficha.campoOf(nome)
  if (typeof typed !== 'string' || typed.trim() === '') return typed
  if (campo.kind !== 'date' && !(campo.kind === 'code' && campo.form === 'telefone')) return typed
  const read = readField(ficha, nome, typed, today)
  return 'value' in read ? writeField(ficha, nome, read.value) : typed
}

export const sameValue = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
