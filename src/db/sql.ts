import { createHash } from 'node:crypto'

/** A piece of SQL with its values apart. Made only by the tag below, so a value can never become SQL text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  /** Set for statements whose text never varies: PostgreSQL then parses and plans them once a connection. */
  readonly name: string | undefined

  constructor(strings: readonly string[], values: readonly unknown[], name?: string) {
    this.strings = strings
    this.values = values
    this.name = name
  }

  get text(): string {
    return this.strings.reduce((text, part, i) => `${text}$${i}${part}`)
  }
}

const names = new WeakMap<TemplateStringsArray, string>()

function nameOf(template: TemplateStringsArray): string {
  let name = names.get(template)
  if (name === undefined) {
    name = createHash('sha1').update(template.join('?')).digest('base64url')
    names.set(template, name)
  }
  return name
}

/** sql`select … where id = ${id}`. Another `Sql` inside is spliced in; everything else is a parameter. */
export function sql(template: TemplateStringsArray, ...parts: unknown[]): Sql {
  if (!parts.some((part) => part instanceof Sql)) return new Sql(template, parts, nameOf(template))
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
 * A statement put together of pieces whose text is always the same, kept by PostgreSQL like one that is written in one piece.
 * Not for filters: each combination would be kept, with a plan for values it has not seen.
 */
export function prepared(statement: Sql): Sql {
  const name = createHash('sha1').update(statement.strings.join('?')).digest('base64url')
  return new Sql(statement.strings, statement.values, name)
}

/**
 * A value that no plan is made for: PostgreSQL keeps a statement's plan only where it costs no more than plans for the values it
 * is asked for, and here both are the same. `type` twice, so that an array can be compared with.
 */
export function unseen(value: unknown, type: 'bigint' | 'date' | 'text' | 'text[]'): Sql {
  return new Sql(['(select ', `::${type})::${type}`], [value])
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
