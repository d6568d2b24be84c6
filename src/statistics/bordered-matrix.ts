import { choleskyOf, type Factors } from './cholesky.ts'

/**
 * Symmetric positive definite matrix with a tridiagonal block that is bordered by a few dense rows:
 *
 *   | A   B |    A: tridiagonal, by its diagonal and the one beside it
 *   | Bᵀ  C |    B: column by column; C: dense
 */
export interface BorderedMatrix {
  diagonal: Float64Array
  beside: Float64Array
  border: readonly Float64Array[]
  corner: readonly Float64Array[]
}

export interface Solution {
  top: Float64Array
  bottom: Float64Array
}

/** Part of the inverse that belongs to one row of the tridiagonal block. */
export interface InverseRow {
  own: number
  withCorner: Float64Array
}

export interface FactorisedMatrix {
  logDeterminant: number
  solve(right: Solution): Solution
  /** Inverse of the corner's block: the lower right part of the whole inverse. */
  cornerInverse(): Float64Array[]
  inverseRow(row: number): InverseRow
}

/** Eliminates the tridiagonal block first: n·m² operations for n rows and a border of m, where a dense matrix takes (n + m)³. */
export function factorised({ diagonal, beside, border, corner }: BorderedMatrix): FactorisedMatrix {
  const tridiagonal = factorisedTridiagonal(diagonal, beside)
  const width = corner.length
  /** A⁻¹B, column by column. */
  const eliminated = border.map((column) => tridiagonal.solve(column))
  /** Lower half of what is left of the corner. */
  const schur = corner.map((row, i) => {
    const reduced = row.slice()
    for (let j = 0; j <= i; j++) reduced[j] = (row[j] as number) - dot(border[i], eliminated[j])
    return reduced
  })
  const cholesky = choleskyOf(schur)
  const cornerInverse = () => corner.map((_, i) => cholesky.solve(unit(width, i)))
  return {
    logDeterminant: tridiagonal.logDeterminant + cholesky.logDeterminant,
    cornerInverse,
    solve({ top, bottom }) {
      const before = tridiagonal.solve(top)
      const below = cholesky.solve(bottom.map((value, i) => value - dot(border[i], before)))
      for (const [i, column] of eliminated.entries())
        for (let row = 0; row < before.length; row++)
          before[row] = at(before, row) - at(column, row) * at(below, i)
      return { top: before, bottom: below }
    },
    inverseRow(row) {
      const reduced = Float64Array.from(eliminated, (column) => at(column, row))
      const withCorner = cholesky.solve(reduced).map((value) => -value)
      const alone = at(tridiagonal.solve(unit(diagonal.length, row)), row)
      return { own: alone - dot(withCorner, reduced), withCorner }
    },
  }
}

/** LDLᵀ of a tridiagonal matrix. */
function factorisedTridiagonal(diagonal: Float64Array, beside: Float64Array): Factors {
  const pivots = diagonal.slice()
  const factors = new Float64Array(beside.length)
  for (let i = 0; i < beside.length; i++) {
    factors[i] = at(beside, i) / at(pivots, i)
    pivots[i + 1] = at(pivots, i + 1) - at(factors, i) * at(beside, i)
  }
  return {
    logDeterminant: pivots.reduce((sum, pivot) => sum + Math.log(pivot), 0),
    solve(right) {
      const x = right.slice()
      let before = x[0] as number
      for (let i = 0; i < factors.length; i++) {
        const value = (x[i + 1] as number) - (factors[i] as number) * before
        x[i] = before / (pivots[i] as number)
        x[i + 1] = value
        before = value
      }
      let after = before / (pivots[x.length - 1] as number)
      x[x.length - 1] = after
      for (let i = factors.length - 1; i >= 0; i--) {
        after = (x[i] as number) - (factors[i] as number) * after
        x[i] = after
      }
      return x
    },
  }
}

const at = (values: Float64Array | undefined, index: number): number => values?.[index] as number

function dot(a: Float64Array | undefined, b: Float64Array | undefined): number {
  if (a === undefined || b === undefined) return 0
  let total = 0
  for (let i = 0; i < a.length; i++) total += (a[i] as number) * (b[i] as number)
  return total
}

function unit(length: number, index: number): Float64Array {
  const vector = new Float64Array(length)
  vector[index] = 1
  return vector
}
