import type { ApiDocument, Schema } from './document.ts'
import { NASTY_TEXTS, textOfLength, UNSTORABLE_TEXTS } from './nasty.ts'
import type { Random } from './random.ts'

/** Valid values for fields that depend on stored data; undefined leaves it to the schema. */
export type Hint = (name: string, schema: Schema) => unknown

export type Style = 'valid' | 'boundary'

export interface Values {
  /** Valid value; at the schema's limits where the style asks for that. */
  make(schema: Schema, name: string, style: Style): unknown
  /** Value that violates the schema in one place, and where and how. */
  makeBroken(schema: Schema, name: string): { value: unknown; why: string }
}

interface Place {
  path: string
  schema: Schema
  value: unknown
  /** Replaces the value; undefined removes it. */
  set(value: unknown): void
}

export function createValues(document: ApiDocument, random: Random, hint: Hint): Values {
  function make(given: Schema, name: string, style: Style): unknown {
    const schema = document.resolve(given)
    if (schema.anyOf) return make(random.pick(schema.anyOf), name, style)
    if (schema.const !== undefined) return schema.const
    const hinted = random.chance(style === 'valid' ? 0.95 : 0.6) ? hint(name, schema) : undefined
    if (hinted !== undefined) return hinted
    if (schema.enum) return random.pick(schema.enum)
    const types = typesOf(schema)
    const others = types.filter(isNotNull)
    const isNull = types.includes('null') && (others.length === 0 || random.chance(0.1))
    const type = isNull ? 'null' : random.pick(others)
    switch (type) {
      case 'object':
        return makeObject(schema, style)
      case 'array':
        return makeArray(schema, name, style)
      case 'integer':
      case 'number':
        return makeNumber(schema, type, style)
      case 'boolean':
        return random.chance(0.5)
      case 'null':
        return null
      default:
        return makeText(schema, style)
    }
  }

  function makeObject(schema: Schema, style: Style): Record<string, unknown> {
    const { properties = {}, required = [] } = schema
    if (schema.patternProperties) {
      const [value] = Object.values(schema.patternProperties)
      return { 'X-Fuzz': value?.type === 'integer' ? 1 : 'sim' }
    }
    const example = random.chance(style === 'valid' ? 0.3 : 0.1) && schema.examples
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const many = random.chance(0.1)
      ? optional.length
      : Math.max(schema.minProperties ?? 0, random.integer(0, 3))
    const chosen = example
      ? Object.keys(random.pick(example) as object)
      : [...required, ...shuffle(optional).slice(0, many)]
    return Object.fromEntries(
      chosen
        .filter((name) => properties[name])
        .map((name) => [name, make(properties[name] as Schema, name, style)]),
    )
  }

  function makeArray(schema: Schema, name: string, style: Style): unknown[] {
    const { minItems = 0, maxItems = 5, items = {} } = schema
    const length =
      style === 'boundary' && random.chance(0.5)
        ? random.pick([minItems, maxItems])
        : random.integer(minItems, Math.min(maxItems, minItems + 2))
    const values = Array.from({ length }, () => make(items, name, style))
    return schema.uniqueItems ? [...new Set(values)] : values
  }

  function makeNumber({ minimum = -1000, maximum = 1000 }: Schema, type: string, style: Style): number {
    if (style === 'boundary' && random.chance(0.7)) return random.pick([minimum, maximum])
    if (type === 'number') return minimum + random.next() * (maximum - minimum)
    return random.integer(minimum, Math.min(maximum, minimum + 100))
  }

  function makeText(schema: Schema, style: Style): string {
    const { minLength = 0, maxLength = 200, pattern, format } = schema
    if (format !== undefined) return formatted(format)
    const fits = (text: string) =>
      [...text].length >= minLength &&
      [...text].length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, 'u').test(text))
    const limits = [textOfLength(random, minLength), textOfLength(random, maxLength)]
    const texts = [
      ...(style === 'boundary' ? limits : []),
      random.pick(NASTY_TEXTS),
      random.pick(NASTY_TEXTS),
    ]
    const words = ONE_OF_WORDS.exec(pattern ?? '')?.[1]
    if (words !== undefined) return random.pick(words.split('|'))
    const known = KNOWN_FORMATS[schema['x-format'] ?? ''] ?? [
      'palavra',
      '1234567',
      'a',
      'uma frase de palavras',
      '2026',
      '2026-03',
    ]
    return shuffle(texts).find(fits) ?? known.find(fits) ?? random.pick(known)
  }

  function formatted(format: string): string {
    const day = `2026-0${random.integer(1, 9)}-1${random.integer(0, 9)}`
    if (format === 'date') return day
    if (format === 'date-time') return `${day}T12:00:00Z`
    if (format === 'email') return `alguem${random.integer(1, 1e9)}@teste.local`
    return '00000000-0000-4000-8000-000000000000'
  }

  function makeBroken(given: Schema, name: string): { value: unknown; why: string } {
    const root = { value: make(given, name, 'valid') }
    const place = {
      path: name,
      schema: given,
      value: root.value,
      set: (value: unknown) => Object.assign(root, { value }),
    }
    const ways = placesIn(place).flatMap((one) =>
      waysToBreak(one).map(([how, act]) => ({ at: one.path, how, act })),
    )
    const way = random.pick(ways)
    way.act()
    return { value: root.value, why: `${way.at}: ${way.how}` }
  }

  /** Places of a value: itself and, recursively, every part that the schema describes. */
  function placesIn(place: Place): Place[] {
    const schema = document.resolve(place.schema)
    const { value } = place
    const here = { ...place, schema }
    if (schema.anyOf) {
      // Null breaks none of the forms where it is one of them.
      const forms = schema.anyOf.map((one) => document.resolve(one))
      const nullable = forms.some((one) => typesOf(one).includes('null'))
      const formOf = (one: Schema): Schema => (nullable ? { ...one, type: [...typesOf(one), 'null'] } : one)
      return forms.flatMap((one) => placesIn({ ...place, schema: formOf(one) }))
    }
    if (Array.isArray(value) && schema.items)
      return [
        here,
        ...value.flatMap((item, i) =>
          placesIn({
            path: `${place.path}[${i}]`,
            schema: schema.items as Schema,
            value: item,
            set: (other) => value.splice(i, 1, other),
          }),
        ),
      ]
    if (typeof value !== 'object' || value === null) return [here]
    const object = value as Record<string, unknown>
    const inner = Object.entries(schema.properties ?? {}).filter(([key]) => key in object)
    return [
      here,
      ...inner.flatMap(([key, one]) =>
        placesIn({
          path: `${place.path}.${key}`,
          schema: one,
          value: object[key],
          set: (other) => {
            object[key] = other
          },
        }),
      ),
    ]
  }

  function waysToBreak({ schema, value, set }: Place): [how: string, act: () => void][] {
    const ways: [string, () => void][] = []
    const types = typesOf(schema)
    if (schema.enum || schema.type)
      for (const [type, other] of OTHER_TYPES)
        if (!types.includes(type) && !(type === 'integer' && types.includes('number')))
          ways.push([`a ${type} for ${types}`, () => set(other)])
    if (schema.enum) ways.push(['none of its values', () => set('nenhum-desses')])
    const has = (type: string) => types.includes(type)
    if (has('string') && !schema.enum)
      ways.push(...textWays(schema).map(([how, other]) => [how, () => set(other)] as [string, () => void]))
    if (has('integer') || has('number')) {
      if (schema.maximum !== undefined)
        ways.push(['over its maximum', () => set((schema.maximum as number) + 1)])
      if (schema.minimum !== undefined)
        ways.push(['under its minimum', () => set((schema.minimum as number) - 1)])
    }
    if (Array.isArray(value)) ways.push(...arrayWays(schema, value, set))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const name of schema.required ?? [])
        ways.push([`${name} missing`, () => delete (value as Record<string, unknown>)[name]])
    return ways
  }

  function arrayWays(schema: Schema, value: unknown[], set: Place['set']): [string, () => void][] {
    const { maxItems, minItems = 0, items = {} } = schema
    const first = value[0] ?? make(items, '', 'valid')
    const ways: [string, () => void][] = []
    if (maxItems !== undefined)
      ways.push(['too many', () => set(Array.from({ length: maxItems + 1 }, () => first))])
    if (minItems > 0) ways.push(['too few', () => set([])])
    if (schema.uniqueItems) ways.push(['twice the same', () => set([first, first])])
    return ways
  }

  function shuffle<T>(values: T[]): T[] {
    return values
      .map((value) => ({ value, at: random.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value)
  }

  return { make, makeBroken }
}

const isNotNull = (type: string) => type !== 'null'
const typesOf = ({ type, enum: values }: Schema): string[] =>
  type === undefined
    ? [...new Set((values ?? ['']).map((value) => (value === null ? 'null' : typeof value)))]
    : [type].flat()

const OTHER_TYPES: [type: string, value: unknown][] = [
  ['string', 'texto'],
  ['integer', 7],
  ['number', 1.5],
  ['boolean', true],
  ['object', { constructor: { name: 1 }, toString: 1 }],
  ['array', [[]]],
  ['null', null],
]

const ONE_OF_WORDS = /^\^\(\?:([\w|]+)\)\$$/
const KNOWN_FORMATS: Record<string, string[]> = {
  phone: ['(81) 99999-0000'],
  cep: ['64917-385'],
  'http-url': ['https://exemplo.test/a?b=c'],
  network: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
  'idempotency-key': ['chave-1'],
  cursor: ['0', '7'],
  semana: ['202610'],
  hora: ['08:00'],
  'date-part': ['1980', '1980-05'],
  ids: ['1', '1,2'],
}

/** Violations of a text's schema. Formats are broken beyond doubt; edge cases are left to other tests. */
function textWays(schema: Schema): [how: string, value: string][] {
  const { minLength = 0, maxLength, format, pattern } = schema
  const ways: [string, string][] = []
  if (minLength > 0) ways.push(['too short', ''])
  if (maxLength !== undefined) ways.push(['too long', 'a'.repeat(maxLength + 1)])
  if (format !== undefined)
    ways.push(
      [`no ${format}`, 'isto não é'],
      [`no ${format}`, '2026-02-30T99:00'],
      [`an empty ${format}`, ''],
    )
  if (pattern !== undefined)
    ways.push(...UNSTORABLE_TEXTS.map((text): [string, string] => ['text that cannot be stored', text]))
  return ways
}
