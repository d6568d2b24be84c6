/** A record in parts that two people may change apart. */
export type Parts = ReadonlyMap<string, unknown>

/** As it was, as it is written here, and as somebody else saved it meanwhile. */
export type Sides = readonly [before: Parts, mine: Parts, theirs: Parts]

/** Equal whatever the order of their keys. */
export const isSame = (one: unknown, other: unknown) => canonical(one) === canonical(other)

export const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )

/** Parts that both changed, differently, and those that only the other side changed. */
export function comparedParts([before, mine, theirs]: Sides): { both: string[]; others: string[] } {
  const changed = keysOf(before, theirs).filter((key) => !isSame(before.get(key), theirs.get(key)))
  const isMine = (key: string) => !isSame(before.get(key), mine.get(key))
  return {
    both: changed.filter((key) => isMine(key) && !isSame(mine.get(key), theirs.get(key))),
    others: changed.filter((key) => !isMine(key)),
  }
}

/** Mine over theirs, part by part; parts that I left alone are theirs. In my order, theirs behind them. */
export function mergedParts(
  [before, mine, theirs]: Sides,
  chosen: Readonly<Record<string, 'mine' | 'theirs'>>,
): Parts {
  const isMine = (key: string) => !isSame(before.get(key), mine.get(key)) && chosen[key] !== 'theirs'
  return new Map(
    keysOf(mine, theirs)
      .map((key) => [key, (isMine(key) ? mine : theirs).get(key)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

const keysOf = (...parts: Parts[]) => [...new Set(parts.flatMap((one) => [...one.keys()]))]
