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
  const cholesky = choleskyOf(reducedCorner(corner, border, eliminated))
  let inverse: Float64Array[] | undefined
  const cornerInverse = () => {
    inverse ??= corner.map((_, i) => cholesky.solve(unit(width, i)))
    return inverse
  }
  return {
    logDeterminant: tridiagonal.logDeterminant + cholesky.logDeterminant,
    cornerInverse,
    solve({ top, bottom }) {
      const before = tridiagonal.solve(top)
      const below = cholesky.solve(bottom.map((value, i) => value - dot(border[i] as Float64Array, before)))
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

/** C − BᵀA⁻¹B, which is symmetric. */
function reducedCorner(
  corner: readonly Float64Array[],
  border: readonly Float64Array[],
  eliminated: readonly Float64Array[],
): Float64Array[] {
  const reduced = corner.map((row) => row.slice())
  for (const [i, column] of border.entries())
    for (let j = 0; j <= i; j++) {
      const value = at(corner[i], j) - dot(column, eliminated[j] as Float64Array)
      ;(reduced[i] as Float64Array)[j] = value
      ;(reduced[j] as Float64Array)[i] = value
    }
  return reduced
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
      for (let i = 0; i < factors.length; i++) x[i + 1] = at(x, i + 1) - at(factors, i) * at(x, i)
      for (let i = 0; i < x.length; i++) x[i] = at(x, i) / at(pivots, i)
      for (let i = factors.length - 1; i >= 0; i--) x[i] = at(x, i) - at(factors, i) * at(x, i + 1)
      return x
    },
  }
}

const at = (values: Float64Array | undefined, index: number): number => values?.[index] as number

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += (a[i] as number) * (b[i] as number)
  return total
}

function unit(length: number, index: number): Float64Array {
  const vector = new Float64Array(length)
  vector[index] = 1
  return vector
}
