/**
 * Symmetric positive definite matrix with a tridiagonal block that is bordered by a few dense rows:
 *
 *   | A   B |    A: tridiagonal, by its diagonal and the one beside it
 *   | Bᵀ  C |    B, C: row by row in one array each; of C only the lower half is read
 */
export interface BorderedMatrix {
  diagonal: Float64Array
  beside: Float64Array
  border: Float64Array
  corner: Float64Array
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

export interface BorderedFactors {
  /** Replaces the matrix that was factorised before. */
  factorise(matrix: BorderedMatrix): void
  logDeterminant(): number
  solve(right: Solution, into: Solution): void
  /** Inverse of the corner's block, the lower right part of the whole inverse, column by column. */
  cornerInverse(): Float64Array[]
  inverseRow(row: number): InverseRow
}

/**
 * Room to factorise matrices of one size, reused since allocating takes as long as computing. Eliminates the tridiagonal block
 * first: n·m² operations for n rows and a border of m, where a dense matrix takes (n + m)³.
 */
export function createBorderedFactors(rows: number, width: number): BorderedFactors {
  const tridiagonal = { pivots: new Float64Array(rows), factors: new Float64Array(Math.max(0, rows - 1)) }
  /** A⁻¹B, row by row. */
  const eliminated = new Float64Array(rows * width)
  /** Cholesky factor of what is left of the corner. */
  const lower = new Float64Array(width * width)
  let border: Float64Array = eliminated
  let inverse: Float64Array[] | null = null
  const solveTop = (x: Float64Array, columns: number) => solveTridiagonal(tridiagonal, x, columns)
  const solveCorner = (x: Float64Array) => solveCholesky(lower, width, x)
  return {
    factorise(matrix) {
      border = matrix.border
      inverse = null
      factoriseTridiagonal(matrix, tridiagonal)
      eliminated.set(border)
      solveTop(eliminated, width)
      lower.set(matrix.corner)
      subtractProduct(lower, border, eliminated, width)
      choleskyInPlace(lower, width)
    },
    logDeterminant() {
      let total = 0
      for (let i = 0; i < width; i++) total += 2 * Math.log(lower[i * width + i] as number)
      for (let i = 0; i < rows; i++) total += Math.log(tridiagonal.pivots[i] as number)
      return total
    },
    solve(right, { top, bottom }) {
      top.set(right.top)
      solveTop(top, 1)
      bottom.set(right.bottom)
      for (let row = 0; row < rows; row++)
        for (let i = 0; i < width; i++)
          bottom[i] = (bottom[i] as number) - (border[row * width + i] as number) * (top[row] as number)
      solveCorner(bottom)
      for (let row = 0; row < rows; row++) {
        let value = top[row] as number
        for (let i = 0; i < width; i++)
          value -= (eliminated[row * width + i] as number) * (bottom[i] as number)
        top[row] = value
      }
    },
    cornerInverse() {
      if (inverse === null) {
        inverse = Array.from({ length: width }, (_, i) => unit(width, i))
        for (const column of inverse) solveCorner(column)
      }
      return inverse
    },
    inverseRow(row) {
      const reduced = eliminated.slice(row * width, (row + 1) * width)
      const withCorner = reduced.map((value) => -value)
      solveCorner(withCorner)
      const alone = unit(rows, row)
      solveTop(alone, 1)
      let own = alone[row] as number
      for (let i = 0; i < width; i++) own -= (reduced[i] as number) * (withCorner[i] as number)
      return { own, withCorner }
    },
  }
}

interface Tridiagonal {
  pivots: Float64Array
  factors: Float64Array
}

/** LDLᵀ of a tridiagonal matrix. */
function factoriseTridiagonal(
  { diagonal, beside }: Pick<BorderedMatrix, 'diagonal' | 'beside'>,
  { pivots, factors }: Tridiagonal,
): void {
  let pivot = diagonal[0] as number
  pivots[0] = pivot
  for (let i = 0; i < factors.length; i++) {
    const factor = (beside[i] as number) / pivot
    pivot = (diagonal[i + 1] as number) - factor * (beside[i] as number)
    factors[i] = factor
    pivots[i + 1] = pivot
  }
}

/** Solves in place for some right sides at once, which lie side by side: their steps do not wait for each other. */
function solveTridiagonal({ pivots, factors }: Tridiagonal, x: Float64Array, columns: number): void {
  const last = pivots.length - 1
  for (let i = 0; i < last; i++) {
    const factor = factors[i] as number
    const at = i * columns
    for (let c = at; c < at + columns; c++)
      x[c + columns] = (x[c + columns] as number) - factor * (x[c] as number)
  }
  for (let i = last; i >= 0; i--) {
    const share = 1 / (pivots[i] as number)
    const factor = i === last ? 0 : (factors[i] as number)
    const at = i * columns
    for (let c = at; c < at + columns; c++)
      x[c] = (x[c] as number) * share - (i === last ? 0 : factor * (x[c + columns] as number))
  }
}

/** Takes BᵀX off the lower half of a matrix; rows of B with zeros are left out. */
function subtractProduct(matrix: Float64Array, b: Float64Array, x: Float64Array, width: number): void {
  for (let row = 0; row < b.length; row += width)
    for (let i = 0; i < width; i++) {
      const value = b[row + i] as number
      if (value === 0) continue
      const at = i * width
      for (let j = 0; j <= i; j++)
        matrix[at + j] = (matrix[at + j] as number) - value * (x[row + j] as number)
    }
}

function choleskyInPlace(lower: Float64Array, width: number): void {
  for (let i = 0; i < width; i++)
    for (let j = 0; j <= i; j++) {
      let rest = lower[i * width + j] as number
      for (let k = 0; k < j; k++) rest -= (lower[i * width + k] as number) * (lower[j * width + k] as number)
      lower[i * width + j] = i === j ? Math.sqrt(rest) : rest / (lower[j * width + j] as number)
    }
}

function solveCholesky(lower: Float64Array, width: number, x: Float64Array): void {
  for (let i = 0; i < width; i++) {
    let rest = x[i] as number
    for (let k = 0; k < i; k++) rest -= (lower[i * width + k] as number) * (x[k] as number)
    x[i] = rest / (lower[i * width + i] as number)
  }
  for (let i = width - 1; i >= 0; i--) {
    const solved = (x[i] as number) / (lower[i * width + i] as number)
    x[i] = solved
    for (let k = 0; k < i; k++) x[k] = (x[k] as number) - (lower[i * width + k] as number) * solved
  }
}

function unit(length: number, index: number): Float64Array {
  const vector = new Float64Array(length)
  vector[index] = 1
  return vector
}
