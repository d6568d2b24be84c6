/**
 * Disclosure control of tables of counts: a count of 1 to k − 1 could be recognised, so it is hidden, and so are as many others as
 * it takes that it cannot be computed from the ones that are shown.
 *
 * Every table is a set of lines, in each of which the parts add up to the total. Each cell is in two lines at most, so the table is
 * a graph: lines are its nodes, cells its edges. A hidden cell then follows from the shown ones exactly if it is a bridge among the
 * hidden edges, which is found in one search instead of by solving the system of equations. That holds where the signs of the
 * equations can be turned so that every cell is added in one of its lines and subtracted in the other: tables of rows and columns
 * with totals, also those whose rows are a tree of places.
 */

export interface Cell {
  readonly count: number
  isHidden: boolean
  /** Shown although it is small, unless it reveals another: totals of large places. */
  readonly isLarge: boolean
  /** Shown whatever it reveals. */
  readonly isFixed: boolean
}

/** Parts in the published order, and their sum. */
export interface Line {
  readonly parts: readonly Cell[]
  readonly total: Cell
}

export interface CellTable {
  /** Lines are closed in this order: the columns before the rows. */
  readonly columns: readonly Line[]
  readonly rows: readonly Line[]
  /** Rows that follow from the others: protected like them, but no equations of their own. */
  readonly implied?: readonly Line[]
}

export function cellOf(
  count: number,
  { isLarge = false, isFixed = false }: Partial<Pick<Cell, 'isLarge' | 'isFixed'>> = {},
): Cell {
  return { count, isHidden: false, isLarge, isFixed }
}

export const isSmall = (count: number, minimum: number) => count > 0 && count < minimum

/** Primary suppression. */
export function hideSmallCells(cells: Iterable<Cell>, minimum: number): void {
  for (const cell of cells)
    if (isSmall(cell.count, minimum) && !cell.isLarge && !cell.isFixed) cell.isHidden = true
}

/** Complementary suppression of one table; its cells may be in other tables as well. */
export interface Closing {
  /** Hides until every line is closed and no hidden cell is determined. True where something was hidden. */
  close(): boolean
}

const OUTSIDE = -1

export function createClosing({ columns, rows, implied = [] }: CellTable, minimum: number): Closing {
  const nodes = [...columns, ...rows]
  const lines = [...nodes, ...implied]
  const linesOf = indexLines(lines)
  const isQueued = new Array<boolean>(lines.length).fill(false)
  // Taken from the end: the first line comes first.
  const queues: [number[], number[]] = [[], []]

  function enqueue(at: number): void {
    if (isQueued[at]) return
    isQueued[at] = true
    queues[at < columns.length ? 0 : 1].push(at)
  }

  function hide(cell: Cell): void {
    cell.isHidden = true
    for (const at of linesOf.get(cell) ?? []) enqueue(at)
  }

  /** Smallest part that is not zero, the first among equals; else the total; else the first zero. */
  function hideAnother({ parts, total }: Line): boolean {
    const next = smallestOf(parts) ?? (canHide(total) ? total : parts.find(canHide))
    if (next !== undefined) hide(next)
    return next !== undefined
  }

  function closeLines(): boolean {
    for (let at = lines.length - 1; at >= 0; at--) enqueue(at)
    let hasHidden = false
    for (
      let at = queues[0].pop() ?? queues[1].pop();
      at !== undefined;
      at = queues[0].pop() ?? queues[1].pop()
    ) {
      isQueued[at] = false
      while (isOpen(lines[at] as Line, minimum) && hideAnother(lines[at] as Line)) hasHidden = true
    }
    return hasHidden
  }

  /**
   * Hides another cell beside each bridge: of its row, its column, any line connected with it; zeros come last. A line is touched
   * once in a search, since one more hidden cell often closes several bridges.
   */
  function closeBridges(): boolean {
    let hasHidden = false
    const touched = new Set<number>()
    for (const { bridge, part } of findBridges(nodes, linesOf)) {
      const ends = (linesOf.get(bridge) ?? []).filter((at) => at < nodes.length).toReversed()
      if (ends.some((at) => touched.has(at))) continue
      for (const at of ends) touched.add(at)
      const those = ends.map((at) => nodes[at] as Line)
      const next =
        firstOf(those, ({ parts }) => smallestOf(parts)) ??
        those.map(({ total }) => total).find(canHide) ??
        firstOf(part, (at) => smallestOf(cellsOf(nodes[at]))) ??
        firstOf(those, ({ parts }) => parts.find(canHide))
      if (next === undefined) continue
      hide(next)
      hasHidden = true
    }
    return hasHidden
  }

  return {
    close() {
      let hasHidden = closeLines()
      while (closeBridges()) {
        hasHidden = true
        closeLines()
      }
      return hasHidden
    },
  }
}

const cellsOf = (line: Line | undefined) => (line === undefined ? [] : [...line.parts, line.total])

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function indexLines(lines: readonly Line[]): Map<Cell, number[]> {
  const linesOf = new Map<Cell, number[]>()
  for (const [at, { parts, total }] of lines.entries())
    for (const cell of [...parts, total]) {
      const known = linesOf.get(cell)
      if (known === undefined) linesOf.set(cell, [at])
      else known.push(at)
    }
  return linesOf
}

/** Lines that determine a hidden cell; where some do, also those that hidden cells connect with them. */
export function findDetermining({ columns, rows }: CellTable): { lines: Set<Line>; connected: Set<Line> } {
  const nodes = [...columns, ...rows]
  const linesOf = indexLines(nodes)
  const bridges = findBridges(nodes, linesOf)
  const toLines = (all: Iterable<number>) => new Set([...all].map((at) => nodes[at] as Line))
  return {
    lines: toLines(bridges.flatMap(({ bridge }) => linesOf.get(bridge) ?? [])),
    connected: toLines(bridges.flatMap(({ part }) => part).filter((at) => at !== OUTSIDE)),
  }
}

const canHide = ({ isHidden, isFixed }: Cell) => !isHidden && !isFixed

export function smallestOf(cells: readonly Cell[]): Cell | undefined {
  let smallest: Cell | undefined
  for (const cell of cells)
    if (cell.count > 0 && canHide(cell) && (smallest === undefined || cell.count < smallest.count))
      smallest = cell
  return smallest
}

/**
 * A line is open while it has one hidden cell, or where hidden parts add up to less than the minimum beside a total that is shown.
 * The latter ends where all that is not zero is hidden: more zeros would not change the sum.
 */
export function isOpen({ parts, total }: Line, minimum: number): boolean {
  let [hidden, sum, isLeft] = [0, 0, canHide(total)]
  for (const part of parts) {
    if (part.isHidden) {
      hidden += 1
      sum += part.count
    } else if (part.count > 0 && canHide(part)) isLeft = true
  }
  if (hidden + Number(total.isHidden) === 1) return true
  return hidden > 0 && !total.isHidden && sum < minimum && isLeft
}

interface Edge {
  cell: Cell
  ends: readonly [number, number]
}

/** Hidden cell that is determined, and the lines that hidden cells connect with it. */
interface Bridge {
  bridge: Cell
  part: number[]
}

/** All bridges, by depth-first search: nothing behind one leads back before it. */
function findBridges(nodes: readonly Line[], linesOf: ReadonlyMap<Cell, readonly number[]>): Bridge[] {
  const edgesOf = new Map<number, Edge[]>()
  const add = (node: number, edge: Edge) => {
    const known = edgesOf.get(node)
    if (known === undefined) edgesOf.set(node, [edge])
    else known.push(edge)
  }
  for (const [cell, all] of linesOf) {
    if (!cell.isHidden) continue
    const [a, b] = all.filter((at) => at < nodes.length)
    // In one line alone: bound by nothing outside of it.
    const edge: Edge = { cell, ends: [a ?? OUTSIDE, b ?? OUTSIDE] }
    for (const end of edge.ends) add(end, edge)
  }
  const order = new Map<number, number>()
  const bridges: Bridge[] = []
  for (const root of edgesOf.keys()) {
    if (order.has(root)) continue
    const before = order.size
    const found = bridgesFrom(root, edgesOf, order)
    const part = found.length === 0 ? [] : [...order.keys()].slice(before)
    for (const bridge of found) bridges.push({ bridge, part })
  }
  return bridges
}

interface Visit {
  node: number
  own: number
  lowest: number
  from: Edge | null
  next: number
}

/** Visits a connected part with a stack of its own: tables of a whole country are deeper than that of calls. */
function bridgesFrom(
  root: number,
  edgesOf: ReadonlyMap<number, readonly Edge[]>,
  order: Map<number, number>,
): Cell[] {
  const bridges: Cell[] = []
  const enter = (node: number, from: Edge | null): Visit => {
    const own = order.size
    order.set(node, own)
    return { node, own, lowest: own, from, next: 0 }
  }
  const stack = [enter(root, null)]
  for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
    const edge: Edge | undefined = edgesOf.get(visit.node)?.[visit.next]
    if (edge === undefined) {
      stack.pop()
      const before = stack.at(-1)
      if (before === undefined) break
      if (visit.lowest > before.own && visit.from !== null) bridges.push(visit.from.cell)
      before.lowest = Math.min(before.lowest, visit.lowest)
      continue
    }
    visit.next += 1
    if (edge === visit.from) continue
    const other = edge.ends[0] === visit.node ? edge.ends[1] : edge.ends[0]
    const known = order.get(other)
    if (known === undefined) stack.push(enter(other, edge))
    else visit.lowest = Math.min(visit.lowest, known)
  }
  return bridges
}
