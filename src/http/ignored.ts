import type { TSchema } from 'typebox'

type Path = (string | number)[]
interface Node {
  properties?: Record<string, TSchema>
  items?: TSchema
}

/** Lists the fields of a valid body that its schema does not name, in their order, up to `limit`. Goes only as deep as the schema. */
export function ignoredFields(schema: TSchema, body: unknown, limit: number): Path[] {
  const found: Path[] = []
  visit(schema, body, [])
  return found

  function visit({ properties, items }: Node, value: unknown, path: Path): void {
    if (Array.isArray(value)) {
      if (items !== undefined) for (const [i, item] of value.entries()) visit(items, item, [...path, i])
      return
    }
    if (properties === undefined || typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (known !== undefined) visit(known, part, [...path, name])
      else if (found.length < limit) found.push([...path, name])
    }
  }
}
