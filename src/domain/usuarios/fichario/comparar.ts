import type { ListQuery } from '../../../filter.ts'
import { type Ficha, isTexto } from './fichas.ts'

/** By the numbers of their characters, as PostgreSQL's `C` has it. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = placeOf(a.charCodeAt(i)) - placeOf(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Halves of pairs (0xD800 to 0xDFFF) stand for characters beyond all others. */
const placeOf = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)

type Order = Pick<ListQuery, 'sort' | 'order' | 'thenBy'>
type Compare = (a: Ficha, b: Ficha) => number

const keysOf = ({ sort, order, thenBy = [] }: Order) => [{ field: sort, order }, ...thenBy]

export function ordersTexts(order: Order): boolean {
  return keysOf(order).some(({ field }) => isTexto(field))
}

/** As `orderBy` has the rows: those without a value last, those that are equal in everything by id. */
export function compareBy(asked: Order): Compare {
  const keys = [...keysOf(asked), { field: 'id', order: asked.order }].map(compareField)
  return (a, b) => {
    for (const compare of keys) {
      const difference = compare(a, b)
      if (difference !== 0) return difference
    }
    return 0
  }
}

function compareField({ field, order }: { field: string; order: 'asc' | 'desc' }): Compare {
  const of = (isTexto(field) ? `${field}_busca` : field) as Exclude<keyof Ficha, 'grupos'>
  const sign = order === 'asc' ? 1 : -1
  const compare = (isTexto(field) ? compareTexts : (a: number, b: number) => a - b) as (
    a: unknown,
    b: unknown,
  ) => number
  return (a, b) => {
    const x = a[of]
    const y = b[of]
    if (x === y) return 0
    if (x === null || y === null) return x === null ? 1 : -1
    return sign * compare(x, y)
  }
}
