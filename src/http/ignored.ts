import type { TSchema } from './type.ts'

type Path = (string | number)[]
interface Node {
  properties?: Record<string, TSchema>
  items?: TSchema
}

/** Lists the fields of a valid body that its schema does not name, in their order, up to `limit`. Goes only as deep as the schema. */
export function ignoredFields(schema: TSchema, body: unknown, limit: number): Path[] {
  const found: Path[] = []
  const path: Path = []
  visit(schema, body)
  return found

  function visit({ properties, items }: Node, value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      if (items !== undefined) for (const [i, item] of value.entries()) visitAt(i, items, item)
      return
    }
    if (properties === undefined) return
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(properties, name)) {
        if (found.length < limit) found.push([...path, name])
      } else visitAt(name, properties[name] as TSchema, (value as Record<string, unknown>)[name])
    }
  }

  function visitAt(step: string | number, schema: Node, value: unknown): void {
    path.push(step)
    visit(schema, value)
    path.pop()
  }
}
