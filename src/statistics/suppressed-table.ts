import { type Cell, type CellTable, cellOf, createClosing, hideSmallCells } from './suppression.ts'

/** Suppression of one table of rows and columns with all its totals. */

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

export function hideSmallCounts(
  { cells: counts, areTotalsLarge: isLarge = false }: CountTable,
  minimum: number,
): HiddenCounts {
  const cells = counts.map((row) => row.map((count) => cellOf(count)))
  const rowTotals = counts.map((row) => cellOf(sum(row), { isLarge }))
  const columnTotals = (counts[0] ?? []).map((_, j) =>
    cellOf(sum(counts.map((row) => row[j] ?? 0)), { isLarge }),
  )
  const total = cellOf(sum(counts.map(sum)), { isLarge })
  const table: CellTable = {
    columns: [
      ...columnTotals.map((all, j) => ({ parts: cells.map((row) => row[j] as Cell), total: all })),
      { parts: rowTotals, total },
    ],
    rows: [
      ...rowTotals.map((all, i) => ({ parts: cells[i] as Cell[], total: all })),
      { parts: columnTotals, total },
    ],
  }
  hideSmallCells([...cells.flat(), ...rowTotals, ...columnTotals, total], minimum)
  createClosing(table, minimum).close()
  const areHidden = (some: readonly Cell[]) => some.map(({ isHidden }) => isHidden)
  return {
    cells: cells.map(areHidden),
    rowTotals: areHidden(rowTotals),
    columnTotals: areHidden(columnTotals),
    total: total.isHidden,
  }
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)
