/**
 * Lists of values that grow while the service runs. The list itself holds the values that every installation has, under a name;
 * `LiveValues` has those of now. Validation, filters and the OpenAPI document ask for the current ones by the list.
 */
const NAME = Symbol('live')

export interface LiveValues {
  /** Changes whenever a list does. */
  marca: string
  lists: Readonly<Record<string, readonly string[]>>
}

const made: (readonly string[])[] = []

export function liveList<const V extends readonly string[]>(nome: string, values: V): V {
  made.push(values)
  return Object.defineProperty([...values], NAME, { value: nome }) as unknown as V
}

/** True for the values of a list that grows: of another installation there may be more. */
export const mayGrow = (values: readonly unknown[]): boolean =>
  made.some((list) => list.length === values.length && list.every((value, at) => value === values[at]))

export const liveNameOf = (values: readonly unknown[]): string | undefined =>
  (values as { [NAME]?: string })[NAME]

/** The values of now; of a list that does not grow, its own. */
export function currentOf<V extends readonly string[]>(
  values: V,
  live: LiveValues | null,
): readonly string[] {
  const nome = liveNameOf(values)
  return (nome === undefined ? undefined : live?.lists[nome]) ?? values
}
