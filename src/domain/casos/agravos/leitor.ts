import { type Problem, type ProblemCode, type ProblemParams, problem } from '../../../errors/catalogue.ts'
import { LIMITES } from './definicao.ts'

/** Reader of JSON of a known shape: tells every problem with its path, never throws, and goes no deeper than the shape. */

export type Path = (string | number)[]
export type JsonObject = Readonly<Record<string, unknown>>

/** Forms of names and codes, with the name of the form in messages. */
export interface Form {
  pattern: RegExp
  expected: string
}
const form = (pattern: RegExp, expected = pattern.source): Form => ({ pattern, expected })
export const FORMS = {
  agravo: form(/^[a-z][a-z0-9_]{1,39}$/, 'serie'),
  nome: form(/^[a-z][a-z0-9_]{0,39}$/, 'serie'),
  codigo: form(/^[a-z][a-z0-9_]{0,59}$/, 'serie'),
  cid10: form(/^[A-Z]\d{2}(\.\d{1,2})?$/),
  id_agravo: form(/^[A-Z][A-Z0-9]{0,9}$/),
  arquivo: form(/^[A-Z]{2,8}$/),
  coluna: form(/^[A-Z][A-Z0-9_]{0,29}$/),
  codigo_sinan: form(/^[A-Za-z0-9]{1,10}$/),
} as const satisfies Record<string, Form>

/** Longest name that is worth repeating in a message. */
const LONGEST_SHOWN = 80
/** Codes that a message lists. */
const MOST_SHOWN = 30
const PROTOTYPE = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])
export const isPrototypeName = (name: string) => PROTOTYPE.has(name)

const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029]/u
/** Line ends are part of longer texts. */
const CONTROL_BUT_LINES = /(?![\n\r\t])[\p{Cc}\p{Cs}]/u

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Value of a key; null is as good as absent. */
export const at = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined

export const shown = (text: string) => text.slice(0, LONGEST_SHOWN)

/** Counts as JSON Schema does, and no further than needed. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > 2 * max) return true
  let length = 0
  for (const _ of text) length++
  return length > max
}

interface TextOptions {
  max: number
  /** Line ends may be in it, and it may be empty. */
  long?: boolean
}

export class LeitorDeJson {
  readonly problems: Problem[] = []

  refuse<C extends ProblemCode>(path: Path, code: C, params: ProblemParams[C]): void {
    if (!this.isFull) this.problems.push(problem('body', path, code, params))
  }

  /** True when enough is told: readers of lists stop. */
  get isFull(): boolean {
    return this.problems.length >= LIMITES.problemas
  }

  /** An object with none but the keys that are allowed; empty where it is none. */
  object(value: unknown, path: Path, allowed: readonly string[]): JsonObject {
    if (!isObject(value)) {
      this.refuse(path, 'INVALID_TYPE', { expected: 'object' })
      return {}
    }
    for (const key in value) {
      if (this.isFull) break
      if (Object.hasOwn(value, key) && !allowed.includes(key))
        this.refuse([...path, shown(key)], 'UNKNOWN_FIELD', { allowed: allowed.join(', ') })
    }
    return value
  }

  /** Keys and values of an object whose keys are free. */
  entries(value: unknown, path: Path, limit: number): [string, unknown][] {
    if (value === undefined) return []
    if (!isObject(value)) {
      this.refuse(path, 'INVALID_TYPE', { expected: 'object' })
      return []
    }
    const keys = Object.keys(value)
    if (keys.length > limit) this.refuse(path, 'TOO_MANY', { limit })
    return keys.slice(0, limit).flatMap((key) => {
      if (!isPrototypeName(key)) return [[key, value[key]] as [string, unknown]]
      this.refuse([...path, key], 'INVALID_FORMAT', { expected: FORMS.nome.expected })
      return []
    })
  }

  /** Each item by `read`; those that it gives null for are left out. */
  list<T>(
    value: unknown,
    path: Path,
    { least = 0, most }: { least?: number; most: number },
    read: (item: unknown, path: Path, index: number) => T | null,
  ): T[] {
    if (!Array.isArray(value)) {
      this.refuse(path, 'INVALID_TYPE', { expected: 'array' })
      return []
    }
    if (value.length > most) this.refuse(path, 'TOO_MANY', { limit: most })
    if (value.length < least) this.refuse(path, 'TOO_FEW', { limit: least })
    const items: T[] = []
    for (let i = 0; i < Math.min(value.length, most) && !this.isFull; i++) {
      const item = read(value[i], [...path, i], i)
      if (item !== null) items.push(item)
    }
    return items
  }

  /** Texts of a form, none of them twice. */
  codes(value: unknown, path: Path, form: Form, size: { least?: number; most: number }): string[] {
    const seen = new Set<string>()
    return this.list(value, path, size, (item, at) => {
      const code = this.code(item, at, form)
      return code !== null && this.first(code, at, seen) ? code : null
    })
  }

  /** True for a name that is not in the set yet; adds it. */
  first(name: string, path: Path, seen: Set<string>): boolean {
    if (seen.has(name)) this.refuse(path, 'REPEATED', {})
    else return Boolean(seen.add(name))
    return false
  }

  code(value: unknown, path: Path, { pattern, expected }: Form): string | null {
    if (value === undefined) this.refuse(path, 'REQUIRED', {})
    else if (typeof value !== 'string') this.refuse(path, 'INVALID_TYPE', { expected: 'string' })
    else if (!pattern.test(value) || isPrototypeName(value)) this.refuse(path, 'INVALID_FORMAT', { expected })
    else return value
    return null
  }

  text(value: unknown, path: Path, { max, long = false }: TextOptions): string | null {
    if (value === undefined) this.refuse(path, 'REQUIRED', {})
    else if (typeof value !== 'string') this.refuse(path, 'INVALID_TYPE', { expected: 'string' })
    else if (isLongerThan(value, max)) this.refuse(path, 'TOO_LONG', { limit: max })
    else if (!long && value.trim() === '') this.refuse(path, 'REQUIRED', {})
    else if ((long ? CONTROL_BUT_LINES : CONTROL).test(value))
      this.refuse(path, 'INVALID_FORMAT', { expected: long ? 'text' : 'prose' })
    else return value
    return null
  }

  oneOf<T extends string>(value: unknown, path: Path, allowed: readonly T[]): T | null {
    if (value === undefined) this.refuse(path, 'REQUIRED', {})
    else if (typeof value !== 'string') this.refuse(path, 'INVALID_TYPE', { expected: 'string' })
    else if (!(allowed as readonly string[]).includes(value)) this.notAmong(path, allowed)
    else return value as T
    return null
  }

  notAmong(path: Path, allowed: Iterable<string>): void {
    this.refuse(path, 'INVALID_VALUE', { allowed: [...allowed].slice(0, MOST_SHOWN).join(', ') })
  }

  boolean(value: unknown, path: Path, byDefault: boolean): boolean {
    if (value === undefined) return byDefault
    if (typeof value === 'boolean') return value
    this.refuse(path, 'INVALID_TYPE', { expected: 'boolean' })
    return byDefault
  }

  number(
    value: unknown,
    path: Path,
    { integer, least, most }: { integer: boolean; least: number; most: number },
  ): number | null {
    if (value === undefined) this.refuse(path, 'REQUIRED', {})
    else if (typeof value !== 'number' || !(integer ? Number.isInteger(value) : Number.isFinite(value)))
      this.refuse(path, 'INVALID_TYPE', { expected: integer ? 'integer' : 'number' })
    else if (value < least) this.refuse(path, 'TOO_SMALL', { limit: least })
    else if (value > most) this.refuse(path, 'TOO_LARGE', { limit: most })
    else return value + 0
    return null
  }
}
