import { isCalendarDate } from '../brasil/calendar.ts'
import { type Problem, type ProblemCode, type ProblemParams, problem } from '../errors/catalogue.ts'
import {
  type FieldType,
  type FieldValue,
  type Filter,
  type FilterField,
  fieldOf,
  type ListRules,
  OPERATORS,
  type Operator,
  operatorsOf,
} from '../filter.ts'
import { currentOf, type LiveValues } from '../system/live-list.ts'
import { isMoment } from './dates.ts'
import { MAX_PROBLEMS } from './validation.ts'

/** Bounds of the JSON form, so that a query string cannot become an expensive condition. */
export const MAX_DEPTH = 5
export const MAX_TESTS = 50
/** Tests and the lists around them. */
const MAX_NODES = 4 * MAX_TESTS
const MAX_IN = 100
const MAX_TEXT = 200

/** Paging parameters; accepted without meaning where there are no pages: statistics, the map, exports. */
const OF_PAGES = ['page', 'size', 'sort', 'order']

type Fields = Pick<ListRules, 'fields' | 'family'>

/**
 * `field=value`, `field[op]=value` and `search` (text, or nested JSON) → one filter tree. Fields and operators come
 * from the resource's own rules. A name that is no filter, none of `others` (the route's further parameters) and not of
 * pages is refused: ignored, it would let more pass than was asked for.
 */
export function parseFilters(
  raw: Record<string, unknown>,
  rules: ListRules,
  others: readonly string[] = [],
  live: LiveValues | null = null,
): { filter: Filter; problems: Problem[] } {
  const parser = new FilterParser(rules, { others: [...OF_PAGES, ...others], live })
  const of: Filter[] = []
  for (const [name, value] of Object.entries(raw)) {
    const filter = name === 'search' ? parser.search(value) : parser.parameter(name, value)
    if (filter !== null) of.push(filter)
  }
  return { filter: { kind: 'and', of }, problems: parser.problems }
}

/**
 * The parameters of a list as an object in a body; numbers and booleans may come as what they are. `check` finds what
 * only the domain can see.
 */
export function parseFilterObject(
  filtros: Record<string, unknown>,
  rules: ListRules,
  check: (filter: Filter) => Problem[],
  live: LiveValues | null,
): { filter: Filter; problems: Problem[] } {
  const { filter, problems: ofRules } = parseFilters(filtros, rules, [], live)
  const problems = [...ofRules, ...check(filter)]
  return { filter, problems: problems.map((one) => ({ ...one, at: 'body', path: ['filtros', ...one.path] })) }
}

/** The same tree in a body, its tests written `{campo, operador, valor}`; problems name the body's field. */
export function parseFilterTree(
  tree: Record<string, unknown>,
  rules: ListRules,
): { filter: Filter; problems: Problem[] } {
  const parser = new FilterParser(rules, { at: 'body', root: 'filtros' })
  const filter = parser.tree(toSearchForm(tree, MAX_DEPTH))
  return { filter: filter ?? { kind: 'and', of: [] }, problems: parser.problems }
}

/** Deeper than the parser reads, nothing is turned any more: it refuses it anyway. */
function toSearchForm(node: unknown, depth: number): unknown {
  if (!isObject(node) || depth < 0) return node
  if ('campo' in node) {
    const { campo, operador, valor, ...others } = node
    return {
      ...(toSearchForm(others, depth) as object),
      [nameOf(campo)]: { [nameOf(operador ?? 'eq')]: valor },
    }
  }
  const turn = (list: unknown) =>
    Array.isArray(list) ? list.map((item) => toSearchForm(item, depth - 1)) : list
  return Object.fromEntries(Object.entries(node).map(([key, list]) => [key, turn(list)]))
}

/** Non-string names match no field. */
const nameOf = (value: unknown) => (typeof value === 'string' ? value : '')

interface ParserOptions {
  at?: Problem['at']
  root?: string
  others?: readonly string[]
  live?: LiveValues | null
}

class FilterParser {
  readonly problems: Problem[] = []
  readonly #rules: Fields
  readonly #at: Problem['at']
  /** Name of the JSON form in the caller's request. */
  readonly #root: string
  readonly #others: readonly string[]
  readonly #live: LiveValues | null
  #tests = 0
  #nodes = 0

  constructor(
    rules: Fields,
    { at = 'query', root = 'search', others = [], live = null }: ParserOptions = {},
  ) {
    this.#rules = rules
    this.#at = at
    this.#root = root
    this.#others = others
    this.#live = live
  }

  tree(json: unknown): Filter | null {
    return this.#node(json, 1)
  }

  parameter(name: string, value: unknown): Filter | null {
    const [, field = '', op] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(name) ?? []
    if (op !== undefined || fieldOf(this.#rules, field) !== undefined)
      return this.#test(name, field, op, value)
    if (this.#others.includes(name)) return null
    const allowed = new Set([...this.#others, 'search', ...Object.keys(this.#rules.fields)])
    return this.#refuse(name, 'UNKNOWN_FIELD', { allowed: [...allowed].join(', ') })
  }

  search(value: unknown): Filter | null {
    if (typeof value !== 'string') return this.#refuse('search', 'INVALID_TYPE', { expected: 'string' })
    const text = value.trim()
    if (text.length === 0) return null
    if (!text.startsWith('{')) return this.#text('search', text) ? { kind: 'search', text } : null
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return this.#refuse('search', 'INVALID_FORMAT', { expected: 'json' })
    }
    return this.#node(json, 1)
  }

  /** `{and: […]}`, `{or: […]}`, `{field: value}` or `{field: {op: value}}`; several keys mean "and". */
  #node(json: unknown, depth: number): Filter | null {
    if (++this.#nodes > MAX_NODES) return this.#refuse(this.#root, 'TOO_MANY', { limit: MAX_NODES })
    if (depth > MAX_DEPTH) return this.#refuse(this.#root, 'TOO_DEEP', { limit: MAX_DEPTH })
    if (!isObject(json)) return this.#refuse(this.#root, 'INVALID_FORMAT', { expected: 'json' })
    const of = Object.entries(json).map(([key, value]) => {
      if (key === 'and' || key === 'or') return this.#list(key, value, depth)
      if (!isObject(value)) return this.#test(this.#root, key, undefined, value)
      const tests = Object.entries(value).map(([op, operand]) => this.#test(this.#root, key, op, operand))
      return { kind: 'and' as const, of: tests.filter((test) => test !== null) }
    })
    return { kind: 'and', of: of.filter((filter) => filter !== null) }
  }

  #list(kind: 'and' | 'or', value: unknown, depth: number): Filter | null {
    if (!Array.isArray(value)) return this.#refuse(this.#root, 'INVALID_FORMAT', { expected: 'json' })
    if (value.length > MAX_TESTS) return this.#refuse(this.#root, 'TOO_MANY', { limit: MAX_TESTS })
    const of = value.map((item) => this.#node(item, depth + 1))
    return { kind, of: of.filter((filter) => filter !== null) }
  }

  #test(parameter: string, field: string, op: string | undefined, value: unknown): Filter | null {
    if (++this.#tests > MAX_TESTS) return this.#refuse(parameter, 'TOO_MANY', { limit: MAX_TESTS })
    const rule = fieldOf(this.#rules, field)
    if (rule === undefined)
      return this.#refuse(parameter, 'UNKNOWN_FIELD', { allowed: Object.keys(this.#rules.fields).join(', ') })
    const operator = (op ?? rule.plain ?? 'eq') as Operator
    if (!OPERATORS.includes(operator) || !operatorsOf(rule).includes(operator))
      return this.#refuse(parameter, 'UNKNOWN_OPERATOR', { allowed: operatorsOf(rule).join(', ') })
    if (operator === 'in') return this.#in(parameter, field, rule, value)
    const parsed = this.#value(parameter, rule, value)
    return parsed === null ? null : { kind: 'test', field, op: operator, value: parsed }
  }

  /** Comma-separated in a parameter; in JSON also a list, whose texts are taken as they are. */
  #in(parameter: string, field: string, rule: FilterField, value: unknown): Filter | null {
    const parts: unknown[] =
      typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value].flat()
    if (parts.length > MAX_IN) return this.#refuse(parameter, 'TOO_MANY', { limit: MAX_IN })
    const values = parts.map((part) => this.#value(parameter, rule, part))
    return values.includes(null) ? null : { kind: 'test', field, op: 'in', value: values as FieldValue[] }
  }

  #value(parameter: string, rule: FilterField, value: unknown): FieldValue | null {
    if (typeof value === 'string' && !this.#text(parameter, value)) return null
    const parsed = PARSERS[rule.type](value)
    if (parsed !== null) return this.#known(parameter, rule, parsed)
    const expected = TYPE_NAMES[rule.type]
    return this.#refuse(parameter, expected.startsWith('date') ? 'INVALID_FORMAT' : 'INVALID_TYPE', {
      expected,
    })
  }

  #known(parameter: string, { values: all, form }: FilterField, value: FieldValue): FieldValue | null {
    if (form !== undefined && !form.pattern.test(String(value)))
      return this.#refuse(parameter, 'INVALID_FORMAT', { expected: form.name })
    if (all === undefined) return value
    const values = currentOf(all, this.#live)
    const wanted = String(value).toLowerCase()
    const known = values.find((one) => one.toLowerCase() === wanted)
    return known ?? this.#refuse(parameter, 'INVALID_VALUE', { allowed: values.join(', ') })
  }

  #text(parameter: string, text: string): boolean {
    if (text.length > MAX_TEXT) this.#refuse(parameter, 'TOO_LONG', { limit: MAX_TEXT })
    else if (text.includes('\0') || !text.isWellFormed())
      this.#refuse(parameter, 'INVALID_FORMAT', { expected: 'text' })
    else return true
    return false
  }

  #refuse<C extends ProblemCode>(parameter: string, code: C, params: ProblemParams[C]): null {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem(this.#at, [parameter], code, params))
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPE_NAMES: Record<FieldType, string> = {
  text: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'date-time',
}

/** A value from a query string (text) or from JSON (already typed) → the field's type, or null when it is none. */
const PARSERS: Record<FieldType, (value: unknown) => FieldValue | null> = {
  text: (value) => (typeof value === 'string' ? value : null),
  integer: (value) =>
    isNumeric(value, /^-?\d{1,10}$/) && Math.abs(Number(value)) <= 2_147_483_647 ? Number(value) : null,
  number: (value) => (isNumeric(value, /^-?\d{1,15}(\.\d{1,15})?$/) ? Number(value) : null),
  boolean: (value) => BOOLEANS.get(value) ?? null,
  date: (value) => (typeof value === 'string' && isCalendarDate(value) ? value : null),
  datetime: (value) => (typeof value === 'string' ? toMoment(value) : null),
}

const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [true, true],
  [false, false],
])

const isNumeric = (value: unknown, form: RegExp) =>
  (typeof value === 'number' || typeof value === 'string') && form.test(String(value))

/** A date alone is the first moment of that day in Brazil, whatever zone the database server is set to. */
function toMoment(text: string): string | null {
  if (isCalendarDate(text)) return `${text} 00:00 America/Sao_Paulo`
  return isMoment(text) ? text : null
}
