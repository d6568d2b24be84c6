import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type HiddenCounts, hideSmallCounts } from '../../src/statistics/suppressed-table.ts'

const K = 5

/** Counts that are hidden, as coefficients of an unknown each; every line of the table is an equation. */
function determined(cells: number[][], hidden: HiddenCounts): boolean {
  const names: string[] = []
  const add = (name: string, is: boolean) => is && names.push(name)
  for (const [i, row] of hidden.cells.entries()) for (const [j, is] of row.entries()) add(`x${i},${j}`, is)
  for (const [i, is] of hidden.rowTotals.entries()) add(`r${i}`, is)
  for (const [j, is] of hidden.columnTotals.entries()) add(`c${j}`, is)
  add('g', hidden.total)
  const equation = (plus: string[], minus: string[]) =>
    names.map((name) => Number(plus.includes(name)) - Number(minus.includes(name)))
  const [rows, columns] = [cells.map((_, i) => i), (cells[0] ?? []).map((_, j) => j)]
  const equations = [
    ...rows.map((i) =>
      equation(
        columns.map((j) => `x${i},${j}`),
        [`r${i}`],
      ),
    ),
    ...columns.map((j) =>
      equation(
        rows.map((i) => `x${i},${j}`),
        [`c${j}`],
      ),
    ),
    equation(
      rows.map((i) => `r${i}`),
      ['g'],
    ),
    equation(
      columns.map((j) => `c${j}`),
      ['g'],
    ),
  ]
  const rank = rankOf(equations)
  // An unknown is determined when fixing it adds nothing to the equations.
  return names.some((_, at) => rankOf([...equations, names.map((_, i) => Number(i === at))]) === rank)
}

function rankOf(matrix: number[][]): number {
  const rows = matrix.map((row) => [...row])
  let rank = 0
  for (let column = 0; column < (rows[0]?.length ?? 0); column++) {
    const pivot = rows.findIndex((row, i) => i >= rank && Math.abs(row[column] as number) > 1e-9)
    if (pivot < 0) continue
    const [chosen] = rows.splice(pivot, 1) as [number[]]
    rows.splice(rank, 0, chosen)
    for (let i = rank + 1; i < rows.length; i++) {
      const row = rows[i] as number[]
      const factor = (row[column] as number) / (chosen[column] as number)
      for (let at = column; at < row.length; at++)
        row[at] = (row[at] as number) - factor * (chosen[at] as number)
    }
    rank += 1
  }
  return rank
}

const tables = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }))
  .chain(([rows, columns]) => {
    const count = fc.oneof(fc.constant(0), fc.nat(6), fc.nat(60))
    const row = fc.array(count, { minLength: columns, maxLength: columns })
    return fc.array(row, { minLength: rows, maxLength: rows })
  })

describe('Small counts of a table', () => {
  it('are hidden with what would reveal them: the example of the specification', () => {
    const hidden = hideSmallCounts(
      {
        cells: [
          [12, 3, 0],
          [40, 22, 6],
        ],
      },
      K,
    )
    assert.deepEqual(hidden, {
      cells: [
        [true, true, false],
        [true, true, false],
      ],
      rowTotals: [false, false],
      columnTotals: [false, false, false],
      total: false,
    })
  })

  it('take their total along where they are alone', () => {
    const hidden = hideSmallCounts({ cells: [[3], [9], [7]] }, K)
    assert.equal(hidden.cells[0]?.[0] && hidden.rowTotals[0], true)
  })

  it('are not hidden where there are none, nor zeros', () => {
    const { cells, rowTotals, columnTotals, total } = hideSmallCounts(
      {
        cells: [
          [0, 5],
          [70, 0],
        ],
      },
      K,
    )
    assert.ok(![...cells.flat(), ...rowTotals, ...columnTotals, total].includes(true))
  })

  it('cannot be computed from all that is shown, in any table', () => {
    fc.assert(
      fc.property(tables, fc.boolean(), (cells, areTotalsLarge) => {
        const hidden = hideSmallCounts({ cells, areTotalsLarge }, K)
        for (const [i, row] of cells.entries())
          for (const [j, count] of row.entries()) {
            if (count > 0 && count < K) assert.ok(hidden.cells[i]?.[j], 'a small count is hidden')
            if (count === 0) assert.ok(!hidden.cells[i]?.[j], 'a zero is shown')
          }
        assert.ok(!determined(cells, hidden), 'no hidden count follows from the shown ones')
      }),
      { numRuns: 500, seed: 5 },
    )
  })
})
