import { hash } from 'node:crypto'

/** A piece of SQL with its values apart. Made only by the tag below, so a value can never become SQL text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #nameOf: ((statement: Sql) => string) | undefined
  #text: string | undefined

  constructor(strings: readonly string[], values: readonly unknown[], nameOf?: (statement: Sql) => string) {
    this.strings = strings
    this.values = values
    this.#nameOf = nameOf
  }

  /** Of statements whose text never varies: PostgreSQL then parses and plans them once a connection. */
  get name(): string | undefined {
    return this.#nameOf?.(this)
  }

  get text(): string {
    this.#text ??= this.strings.reduce((text, part, n) => text + placeholderOf(this.values[n - 1], n) + part)
    return this.#text
  }

  get parameters(): unknown[] {
    return this.values.map((value) => (value instanceof Opaque ? value.value : value))
  }
}

function placeholderOf(value: unknown, n: number): string {
  return value instanceof Opaque ? `(select $${n}::${value.type})::${value.type}` : `$${n}`
}

/** Value of a known type that the planner cannot see. */
class Opaque {
  readonly value: unknown
  readonly type: string

  constructor(value: unknown, type: string) {
    this.value = value
    this.type = type
  }
}

const names = new WeakMap<readonly string[], string>()

/** For one that is written in one piece: its template is the same object each time. */
function nameOfTemplate({ strings }: Sql): string {
  let name = names.get(strings)
  if (name === undefined) {
    name = hashOf(strings.join('?'))
    names.set(strings, name)
  }
  return name
}

const hashOf = (text: string) => hash('sha1', text, 'base64url')

/** sql`select … where id = ${id}`. Another `Sql` inside is spliced in; everything else is a parameter. */
export function sql(template: TemplateStringsArray, ...parts: unknown[]): Sql {
  if (!parts.some((part) => part instanceof Sql)) return new Sql(template, parts, nameOfTemplate)
  const strings: string[] = [template[0] as string]
  const values: unknown[] = []
  parts.forEach((part, i) => {
    const after = template[i + 1] as string
    if (part instanceof Sql) {
      strings[strings.length - 1] += part.strings[0] as string
      strings.push(...part.strings.slice(1))
      values.push(...part.values)
      strings[strings.length - 1] += after
    } else {
      values.push(part)
      strings.push(after)
    }
  })
  return new Sql(strings, values)
}

/**
 * Prepared statement assembled from fragments: each connection parses it once. Its text must be one of a few, since every
 * combination of a filter would be kept, with a generic plan.
 */
export function prepared(statement: Sql): Sql {
  return new Sql(statement.strings, statement.values, ({ text }) => hashOf(text))
}

/**
 * Hides a value from the planner (`(select $1)`): custom and generic plan then cost the same, and PostgreSQL keeps the generic
 * one instead of planning every execution. `type` is cast twice, so that an array can be compared with.
 */
export function opaque(
  value: unknown,
  type: 'bigint' | 'date' | 'date[]' | 'integer' | 'integer[]' | 'text' | 'text[]',
): Sql {
  return new Sql(['', ''], [new Opaque(value, type)])
}

/** The name of a table or column that is made, not written: letters, digits and underscores only. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/.test(name))
    throw new Error(`${name} is no identifier`)
  return new Sql([name], [])
}

/** Fragments side by side, with `separator` (trusted text) between them. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  if (fragments.length === 0) return new Sql([''], [])
  const strings: string[] = ['']
  const values: unknown[] = []
  fragments.forEach((fragment, i) => {
    strings[strings.length - 1] += (i === 0 ? '' : separator) + (fragment.strings[0] as string)
    strings.push(...fragment.strings.slice(1))
    values.push(...fragment.values)
  })
  return new Sql(strings, values)
}
