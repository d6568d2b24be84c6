import type { LiveValues } from '../../system/live-list.ts'
import { currentEnum } from '../live.ts'
import type { Operation, Response } from './merge.ts'

type Json = Record<string, unknown>
type Kind = 'parameters' | 'responses'

/** Collects titled schemas; the same title must always mean the same schema. */
export class Components {
  readonly schemas: Record<string, unknown> = {}
  readonly #seen = new Map<string, string>()
  readonly #live: LiveValues | null

  constructor(live: LiveValues | null) {
    this.#live = live
  }

  use(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.use(item))
    if (typeof schema !== 'object' || schema === null) return schema
    const { title, ...rest } = schema as { title?: string } & Json
    if (typeof title !== 'string') return this.#children(schema as Json)
    const text = JSON.stringify(schema)
    if ((this.#seen.get(title) ?? text) !== text) throw new Error(`two schemas are called ${title}`)
    this.#seen.set(title, text)
    this.schemas[title] ??= this.#children(rest)
    return { $ref: `#/components/schemas/${title}` }
  }

  #children(schema: Json): Json {
    return Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => !key.startsWith('~'))
        .map(([key, value]) => [key, this.#child(schema, key, value)]),
    )
  }

  #child(schema: Json, key: string, value: unknown): unknown {
    if (key === 'examples') return value
    return key === 'enum' ? currentEnum(schema, this.#live) : this.use(value)
  }
}

/**
 * Moves parameters and responses that several operations have in common to `components` and refers to them: written
 * out, they were four fifths of the document.
 */
export function shareParts(operations: Operation[]): Record<Kind, Json> {
  const parameters = sharedOf(
    'parameters',
    operations.flatMap((operation) => operation.parameters ?? []).map((part) => ({ name: part.name, part })),
  )
  const responses = sharedOf(
    'responses',
    operations
      .flatMap((operation) => Object.entries(operation.responses))
      .map(([status, part]) => ({ name: responseName(status, part), part })),
  )
  for (const operation of operations) {
    if (operation.parameters) operation.parameters = operation.parameters.map(parameters.refer)
    for (const [status, one] of Object.entries(operation.responses))
      operation.responses[status] = responses.refer(one)
  }
  return { parameters: parameters.shared, responses: responses.shared }
}

/** An error by its status, a success by the name of its schema. */
function responseName(status: string, { content }: Response): string {
  const { $ref } = (content?.['application/json']?.schema ?? {}) as { $ref?: string }
  if (status === 'default') return 'Erro'
  if (Number(status) >= 400) return `Erro${status}`
  return $ref?.split('/').at(-1) ?? `Sucesso${status}`
}

/** Repeated parts as components; of several forms of one name, the most used gets it without a number. */
function sharedOf<T extends object>(kind: Kind, parts: { name: string; part: T }[]) {
  const byText = Map.groupBy(parts, ({ part }) => JSON.stringify(part))
  const repeated = [...byText.values()].filter((uses) => uses.length > 1)
  const shared: Json = {}
  const refs = new Map<string, T>()
  for (const [first] of repeated.toSorted((one, other) => other.length - one.length)) {
    const { name: wanted, part } = first as { name: string; part: T }
    let name = wanted
    for (let next = 2; name in shared; next++) name = `${wanted}.${next}`
    shared[name] = part
    refs.set(JSON.stringify(part), { $ref: `#/components/${kind}/${name}` } as T)
  }
  return { shared, refer: (part: T) => refs.get(JSON.stringify(part)) ?? part }
}
