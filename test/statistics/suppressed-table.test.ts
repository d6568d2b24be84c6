import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type HiddenCounts, hideSmallCounts } from '../../src/statistics/suppressed-table.ts'
import { determinedBy, type Equation } from './determined.ts'

const K = 5

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)

interface Sum {
  total: [name: string, isHidden: boolean, count: number]
  parts: [name: string, isHidden: boolean, count: number][]
}

/** Every line of a table: its parts and their total. */
function sumsOf(cells: number[][], hidden: HiddenCounts): Sum[] {
  const add = (parts: Sum['parts']) => parts.reduce((sum, [, , count]) => sum + count, 0)
  const rows = cells.map((row, i): Sum => {
    const parts = row.map((count, j): Sum['total'] => [`x${i},${j}`, hidden.cells[i]?.[j] === true, count])
    return { parts, total: [`r${i}`, hidden.rowTotals[i] === true, add(parts)] }
  })
  const columns = (cells[0] ?? []).map((_, j): Sum => {
    const parts = rows.map(({ parts }) => parts[j] as Sum['total'])
    return { parts, total: [`c${j}`, hidden.columnTotals[j] === true, add(parts)] }
  })
  const totals = [rows, columns].map((lines): Sum => {
    const parts = lines.map(({ total }) => total)
    return { parts, total: ['g', hidden.total, add(parts)] }
  })
  return [...rows, ...columns, ...totals]
}

function equationOf({ parts, total }: Sum): Equation {
  const signed = [...parts.map((part) => [part, 1] as const), [total, -1] as const]
  return new Map(signed.filter(([[, isHidden]]) => isHidden).map(([[name], sign]) => [name, sign]))
}

/** Hidden parts beside a shown total could all be small: they add up to the minimum, or the total itself does not. */
const isBounded = ({ parts, total: [, isHidden] }: Sum) => {
  const hiddenParts = parts.filter(([, isPartHidden]) => isPartHidden)
  return isHidden || hiddenParts.length === 0 || hiddenParts.reduce((sum, [, , count]) => sum + count, 0) >= K
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
        const sums = sumsOf(cells, hidden)
        assert.deepEqual(
          determinedBy(sums.map(equationOf)),
          [],
          'no hidden count follows from the shown ones',
        )
        assert.ok(sums.every(isBounded), 'hidden counts beside a shown total reach the minimum')
      }),
      { numRuns: RUNS, seed: 5 },
    )
  })
})
