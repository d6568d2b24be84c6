/**
 * Disclosure control of a table of counts: a count of 1 to k − 1 could be recognised, so it is hidden, and so are as many others
 * as it takes that it cannot be computed from the totals.
 *
 * The table is a graph. Its nodes are the lines: each row, each column, the row totals and the column totals. Its edges are the
 * counts: a cell joins its row and its column, a total its line and the line of totals, the grand total both lines of totals.
 * In each line the counts add up, so a hidden count follows from the shown ones exactly if it is a bridge among the hidden edges.
 */

export interface CountTable {
  /** Rows of counts, all of the same length. */
  cells: readonly (readonly number[])[]
  /** Totals are shown although they are small: of states and the country. */
  areTotalsLarge?: boolean
}

export interface HiddenCounts {
  cells: boolean[][]
  rowTotals: boolean[]
  columnTotals: boolean[]
  total: boolean
}

interface Edge {
  count: number
  isHidden: boolean
  isTotal: boolean
  nodes: readonly [Node, Node]
}

/** A line of the table, by its counts. */
interface Node {
  edges: Edge[]
}

export function hideSmallCounts(
  { cells, areTotalsLarge = false }: CountTable,
  minimum: number,
): HiddenCounts {
  const graph = graphOf(cells)
  const isSmall = ({ count }: Edge) => count > 0 && count < minimum
  for (const edge of graph.edges) edge.isHidden = isSmall(edge) && !(edge.isTotal && areTotalsLarge)
  do closeLines(graph.nodes)
  while (closeBridge(graph))
  return {
    cells: graph.cells.map((row) => row.map(({ isHidden }) => isHidden)),
    rowTotals: graph.rowTotals.map(({ isHidden }) => isHidden),
    columnTotals: graph.columnTotals.map(({ isHidden }) => isHidden),
    total: graph.total.isHidden,
  }
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)

function graphOf(cells: CountTable['cells']) {
  const edges: Edge[] = []
  const nodes: Node[] = []
  const node = (): Node => {
    const made = { edges: [] }
    nodes.push(made)
    return made
  }
  const join = (a: Node, b: Node, count: number, isTotal: boolean): Edge => {
    const edge: Edge = { count, isHidden: false, isTotal, nodes: [a, b] }
    for (const end of edge.nodes) end.edges.push(edge)
    edges.push(edge)
    return edge
  }
  const rows = cells.map(node)
  const columns = (cells[0] ?? []).map(node)
  const [ofRows, ofColumns] = [node(), node()]
  return {
    nodes,
    edges,
    cells: cells.map((row, i) =>
      row.map((count, j) => join(rows[i] as Node, columns[j] as Node, count, false)),
    ),
    rowTotals: rows.map((row, i) => join(row, ofRows, sum(cells[i] ?? []), true)),
    columnTotals: columns.map((column, j) =>
      join(column, ofColumns, sum(cells.map((row) => row[j] ?? 0)), true),
    ),
    total: join(ofRows, ofColumns, sum(cells.map(sum)), true),
  }
}

/** A line with one hidden count is the plainest bridge. Line by line, until none is left. */
function closeLines(nodes: readonly Node[]): void {
  const isOpen = ({ edges }: Node) => edges.filter(({ isHidden }) => isHidden).length === 1
  while (nodes.some(isOpen)) for (const node of nodes) if (isOpen(node)) hideAnother(node.edges)
}

/** Hides another count of the first bridge's lines; where these have none, any. False without a bridge. */
function closeBridge({ nodes, edges }: { nodes: readonly Node[]; edges: readonly Edge[] }): boolean {
  const bridge = findBridge(nodes)
  if (bridge === null) return false
  const [row, column] = bridge.nodes
  if (!hideAnother(row.edges) && !hideAnother(column.edges)) hideAnother(edges)
  return true
}

/** Hides the smallest shown count that is not zero, the first among equals; a total only where no cell is left. */
function hideAnother(edges: readonly Edge[]): boolean {
  const shown = edges.filter(({ count, isHidden }) => count > 0 && !isHidden)
  const [next] = shown.toSorted((a, b) => Number(a.isTotal) - Number(b.isTotal) || a.count - b.count)
  if (next !== undefined) next.isHidden = true
  return next !== undefined
}

/** First bridge among the hidden edges, by depth-first search: nothing behind it leads back before it. */
function findBridge(nodes: readonly Node[]): Edge | null {
  const order = new Map<Node, number>()
  let bridge: Edge | null = null
  const visit = (node: Node, from: Edge | null): number => {
    const own = order.size
    order.set(node, own)
    let lowest = own
    for (const edge of node.edges) {
      if (!edge.isHidden || edge === from || bridge !== null) continue
      const other = edge.nodes[0] === node ? edge.nodes[1] : edge.nodes[0]
      const known = order.get(other)
      const reached = known ?? visit(other, edge)
      if (known === undefined && reached > own) bridge ??= edge
      lowest = Math.min(lowest, reached)
    }
    return lowest
  }
  for (const node of nodes) if (!order.has(node)) visit(node, null)
  return bridge
}
