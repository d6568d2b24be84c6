import { comparedParts, mergedParts, type Parts, type Sides } from '../../state/parts.ts'
import type { Definicao } from './definicao-data.ts'

/** A definition as it was, as it is written here, and as somebody else saved it meanwhile. */
export interface Versions {
  before: Definicao
  mine: Definicao
  theirs: Definicao
}

const FIELD = 'campos.'

/** Members of the definition, and its fields by their names. */
export function partsOf({ campos, ...members }: Definicao): Parts {
  const named = campos.map((campo, at) => {
    const name = 'nome' in campo ? campo.nome : campo.padrao
    return [`${FIELD}${name === '' ? at : name}`, campo] as const
  })
  return new Map<string, unknown>([...Object.entries(members), ...named])
}

export const compared = (versions: Versions) => comparedParts(sidesOf(versions))

/** Both versions made one; fields stay in my order, theirs behind them. */
export function merged(versions: Versions, chosen: Readonly<Record<string, 'mine' | 'theirs'>>): Definicao {
  const kept = [...mergedParts(sidesOf(versions), chosen)]
  const isField = ([key]: readonly [string, unknown]) => key.startsWith(FIELD)
  return {
    ...Object.fromEntries(kept.filter((part) => !isField(part))),
    campos: kept.filter(isField).map(([, campo]) => campo),
  } as unknown as Definicao
}

const sidesOf = ({ before, mine, theirs }: Versions): Sides => [
  partsOf(before),
  partsOf(mine),
  partsOf(theirs),
]
