import { hash } from 'node:crypto'

/** A statement as it is sent. */
interface Written {
  text: string
  parameters: unknown[]
}

/**
 * A piece of SQL with its values apart. Made only by the tag below, so a value can never become SQL text. A rope: fragments stay
 * where they are until the whole statement is written in one pass; splicing each into the one around it copied a text once for each level.
 */
export class Sql {
  readonly #template: readonly string[]
  readonly #parts: readonly unknown[]
  readonly #named: Naming | undefined
  #written: Written | undefined

  constructor(template: readonly string[], parts: readonly unknown[], named?: Naming) {
    this.#template = template
    this.#parts = parts
    this.#named = named
  }

  /** Of statements whose text never varies: PostgreSQL then parses and plans them once a connection. */
  get name(): string | undefined {
    if (this.#named === 'by template') return nameOfTemplate(this.#template)
    return this.#named === 'by text' ? hashOf(this.text) : undefined
  }

  get text(): string {
    return this.#write().text
  }

  get parameters(): unknown[] {
    return this.#write().parameters
  }

  #write(): Written {
    this.#written ??= this.#writeTo({ text: '', parameters: [] })
    return this.#written
  }

  #writeTo(target: Written): Written {
    target.text += this.#template[0]
    for (let i = 0; i < this.#parts.length; i++) {
      const part = this.#parts[i]
      if (part instanceof Sql) part.#writeTo(target)
      else target.text += placeholderFor(part, target.parameters)
      target.text += this.#template[i + 1]
    }
    return target
  }
}

function placeholderFor(value: unknown, parameters: unknown[]): string {
  if (!(value instanceof Opaque)) return `$${parameters.push(value)}`
  return `(select $${parameters.push(value.value)}::${value.type})::${value.type}`
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

/** A statement without fragments has the same template object each time; one with fragments, only its text. */
type Naming = 'by template' | 'by text'

const names = new WeakMap<readonly string[], string>()

function nameOfTemplate(template: readonly string[]): string {
  let name = names.get(template)
  if (name === undefined) {
    name = hashOf(template.join('?'))
    names.set(template, name)
  }
  return name
}

const hashOf = (text: string) => hash('sha1', text, 'base64url')

/** sql`select … where id = ${id}`. Another `Sql` inside is a fragment; everything else is a parameter. */
export function sql(template: TemplateStringsArray, ...parts: unknown[]): Sql {
  return new Sql(template, parts, parts.some((part) => part instanceof Sql) ? undefined : 'by template')
}

/**
 * Prepared statement assembled from fragments: each connection parses it once. Its text must be one of a few, since every
 * combination of a filter would be kept, with a generic plan.
 */
export function prepared(statement: Sql): Sql {
  return new Sql(['', ''], [statement], 'by text')
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
  return new Sql(['', ...fragments.slice(1).map(() => separator), ''], fragments)
}
