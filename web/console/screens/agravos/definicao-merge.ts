import type { Definicao } from './definicao-data.ts'

/** A definition as it was, as it is written here, and as somebody else saved it meanwhile. */
export interface Versions {
  before: Definicao
  mine: Definicao
  theirs: Definicao
}

/** Parts that two people may change apart: members of the definition, and its fields by their names. */
type Parts = ReadonlyMap<string, unknown>
const FIELD = 'campos.'

export function partsOf({ campos, ...members }: Definicao): Parts {
  const named = campos.map((campo, at) => {
    const name = 'nome' in campo ? campo.nome : campo.padrao
    return [`${FIELD}${name === '' ? at : name}`, campo] as const
  })
  return new Map<string, unknown>([...Object.entries(members), ...named])
}

/** Equal whatever the order of their keys. */
export const isSame = (one: unknown, other: unknown) => canonical(one) === canonical(other)

const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )

/** Parts that both changed, differently, and those that only the other side changed. */
export function compared(versions: Versions): { both: string[]; others: string[] } {
  const [before, mine, theirs] = sides(versions)
  const changed = keysOf(before, theirs).filter((key) => !isSame(before.get(key), theirs.get(key)))
  const isMine = (key: string) => !isSame(before.get(key), mine.get(key))
  return {
    both: changed.filter((key) => isMine(key) && !isSame(mine.get(key), theirs.get(key))),
    others: changed.filter((key) => !isMine(key)),
  }
}

/** Mine over theirs, part by part; parts that I left alone are theirs. Fields stay in my order, theirs behind them. */
export function merged(versions: Versions, chosen: Readonly<Record<string, 'mine' | 'theirs'>>): Definicao {
  const [before, mine, theirs] = sides(versions)
  const isMine = (key: string) => !isSame(before.get(key), mine.get(key)) && chosen[key] !== 'theirs'
  const kept = keysOf(mine, theirs)
    .map((key) => [key, (isMine(key) ? mine : theirs).get(key)] as const)
    .filter(([, value]) => value !== undefined)
  const isField = ([key]: readonly [string, unknown]) => key.startsWith(FIELD)
  return {
    ...Object.fromEntries(kept.filter((part) => !isField(part))),
    campos: kept.filter(isField).map(([, campo]) => campo),
  } as unknown as Definicao
}

const sides = ({ before, mine, theirs }: Versions) =>
  [partsOf(before), partsOf(mine), partsOf(theirs)] as const
const keysOf = (...parts: Parts[]) => [...new Set(parts.flatMap((one) => [...one.keys()]))]
