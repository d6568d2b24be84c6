import { createHash } from 'node:crypto'

/** A piece of SQL with its values apart. Made only by the tag below, so a value can never become SQL text. */
export class Sql {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #nameOf: ((statement: Sql) => string) | undefined

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
    return this.#write((value, n) =>
      value instanceof Unseen ? `(select $${n}::${value.type})::${value.type}` : `$${n}`,
    )
  }

  get parameters(): unknown[] {
    return this.values.map((value) => (value instanceof Unseen ? value.value : value))
  }

  /** With its values as columns of a table. */
  columnsOf(table: string): string {
    return this.#write((_, n) => `${table}.v${n}`)
  }

  #write(placeholder: (value: unknown, n: number) => string): string {
    return this.strings.reduce((text, part, n) => text + placeholder(this.values[n - 1], n) + part)
  }
}

/** A value whose type is known, and that no plan is made for. */
class Unseen {
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

const hashOf = (text: string) => createHash('sha1').update(text).digest('base64url')

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
 * A statement put together of pieces whose text is always the same, kept by PostgreSQL like one that is written in one piece.
 * Not for filters: each combination would be kept, with a plan for values it has not seen.
 */
export function prepared(statement: Sql): Sql {
  return new Sql(statement.strings, statement.values, ({ text }) => hashOf(text))
}

/**
 * A value that no plan is made for: PostgreSQL keeps a statement's plan only where it costs no more than plans for the values it
 * is asked for, and here both are the same. `type` twice, so that an array can be compared with.
 */
export function unseen(value: unknown, type: 'bigint' | 'date' | 'text' | 'text[]'): Sql {
  return new Sql(['', ''], [new Unseen(value, type)])
}

/**
 * Statements that differ only in their values, all of them unseen, as one. Each of its rows has a column more: `vez`, the
 * place of the statement it answers, from 1.
 */
export function alike(statements: readonly Sql[]): Sql {
  const asked = statements.map(({ values }) => values.map(unseenOf))
  const [columns = []] = asked
  const names = columns.map((_, i) => `v${i + 1}`)
  const records = asked.map((all) => Object.fromEntries(all.map(({ value }, i) => [names[i], value])))
  const typed = columns.map(({ type }, i) => `${names[i]} ${type}`)
  const body = (statements[0] as Sql).columnsOf('pedidos')
  return prepared(
    new Sql(
      [
        'select respostas.*, pedidos.vez from rows from (json_to_recordset(',
        `::json) as (${typed})) with ordinality as pedidos (${names}, vez) cross join lateral (${body}) respostas`,
      ],
      [JSON.stringify(records)],
    ),
  )
}

function unseenOf(value: unknown): Unseen {
  if (!(value instanceof Unseen)) throw new Error('a statement that others share has unseen values only')
  return value
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
