/** Tree of values by path; members in the order in which the paths name them first. */
export type Nested<T> = Map<string, T | Nested<T>>

/** Groups values by the parts of their dotted paths: `paciente.idade` is `idade` in the group `paciente`. */
export function nested<T>(values: Iterable<readonly [path: string, value: T]>): Nested<T> {
  const root: Nested<T> = new Map()
  for (const [path, value] of values) {
    const groups = path.split('.')
    const leaf = groups.pop() as string
    groups.reduce(groupIn, root).set(leaf, value)
  }
  return root
}

function groupIn<T>(node: Nested<T>, name: string): Nested<T> {
  const known = node.get(name)
  if (known !== undefined) return known as Nested<T>
  const group: Nested<T> = new Map()
  node.set(name, group)
  return group
}
