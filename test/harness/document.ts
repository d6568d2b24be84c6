type Node = Record<string, unknown>

/** The segments of a reference into the document itself. */
const segmentsOf = (ref: string) =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))

export const partAt = (document: Node, place: string[]): unknown =>
  place.reduce((parent, segment) => (parent as Node)[segment], document as unknown)

/** Where a place of the document really stands, following the references on the way; null where nothing does. */
export function locate(document: Node, place: string[]): string[] | null {
  let found: string[] = []
  let node: unknown = document
  for (const key of place) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return null
    found.push(key)
    node = (node as Node)[key]
    const { $ref } = (node ?? {}) as { $ref?: string }
    if ($ref === undefined) continue
    found = segmentsOf($ref)
    node = partAt(document, found)
  }
  return found
}

/** A part that stands elsewhere, as if it stood here. */
export function resolve<T extends object>(document: Node, part: T): T {
  const { $ref } = part as { $ref?: string }
  if ($ref === undefined) return part
  return partAt(document, segmentsOf($ref)) as T
}
