import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ListQuery } from '../../../filter.ts'
import { compareBy } from './comparar.ts'
import type { Ficha, Gaveta } from './fichas.ts'
import type { MarksIn } from './filtrar.ts'

/** Others have their turn after this. */
const TURN_MS = 3
/** Who comes later is sooner found by the database. */
const DEEP = 1_000

/** A run of those who meet a filter, in an order. */
export interface Trecho extends Pick<ListQuery, 'sort' | 'order' | 'thenBy' | 'size'> {
  offset: number
}

export interface Achados {
  /** How many meet the filter. */
  total: number
  /** Those of the run, in their order; null where the database must find them. */
  ids: number[] | null
}

export function findRun(gavetas: Gaveta[], marksIn: MarksIn, trecho: Trecho): Promise<Achados> {
  if (trecho.sort === 'id') return findById(gavetas, marksIn, trecho)
  return trecho.offset + trecho.size > DEEP ? count(gavetas, marksIn) : findFirst(gavetas, marksIn, trecho)
}

async function findById(
  gavetas: Gaveta[],
  marksIn: MarksIn,
  { order, offset, size }: Trecho,
): Promise<Achados> {
  const all: number[] = []
  await inTurns(gavetas, (gaveta) => {
    const marks = marksIn(gaveta)
    const ids = gaveta.column('id')
    for (let i = 0; i < marks.length; i++) if (marks[i] === 1) all.push(ids[i] as number)
  })
  if (order === 'desc') all.reverse()
  return { total: all.length, ids: all.slice(offset, offset + size) }
}

export async function count(gavetas: Gaveta[], marksIn: MarksIn): Promise<Achados> {
  let total = 0
  await inTurns(gavetas, (gaveta) => {
    for (const mark of marksIn(gaveta)) total += mark
  })
  return { total, ids: null }
}

/** Those who are equal are in the order of their ids, and many an order is nearly that: asked in it, few others are put before. */
async function findFirst(gavetas: Gaveta[], marksIn: MarksIn, trecho: Trecho): Promise<Achados> {
  const { order, offset, size } = trecho
  const first = new First(offset + size, compareBy(trecho))
  let total = 0
  await inTurns(order === 'asc' ? gavetas : gavetas.toReversed(), (gaveta) => {
    const marks = marksIn(gaveta)
    for (let n = 0; n < marks.length; n++) {
      const i = order === 'asc' ? n : marks.length - 1 - n
      if (marks[i] === 0) continue
      total++
      first.offer(gaveta.fichas[i] as Ficha)
    }
  })
  return { total, ids: first.fichas.slice(offset).map(({ id }) => id) }
}

/** So many of those that are offered as come before all others, in their order. */
class First {
  readonly fichas: Ficha[] = []
  readonly #most: number
  readonly #compare: (a: Ficha, b: Ficha) => number

  constructor(most: number, compare: (a: Ficha, b: Ficha) => number) {
    this.#most = most
    this.#compare = compare
  }

  offer(ficha: Ficha): void {
    const { fichas } = this
    if (fichas.length === this.#most && this.#compare(fichas.at(-1) as Ficha, ficha) <= 0) return
    let from = 0
    let to = fichas.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#compare(fichas[middle] as Ficha, ficha) <= 0) from = middle + 1
      else to = middle
    }
    fichas.splice(from, 0, ficha)
    if (fichas.length > this.#most) fichas.pop()
  }
}

async function inTurns(gavetas: Gaveta[], visit: (gaveta: Gaveta) => void): Promise<void> {
  let since = performance.now()
  for (const gaveta of gavetas) {
    visit(gaveta)
    if (performance.now() - since > TURN_MS) {
      await nextTurn()
      since = performance.now()
    }
  }
}
