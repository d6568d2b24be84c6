export interface Factors {
  logDeterminant: number
  solve(right: Float64Array): Float64Array
}

/** Cholesky decomposition of a symmetric positive definite matrix, row by row. */
export function choleskyOf(matrix: readonly Float64Array[]): Factors {
  const lower = matrix.map((row) => Float64Array.from(row))
  for (const [i, row] of lower.entries())
    for (let j = 0; j <= i; j++) {
      const other = lower[j] as Float64Array
      let rest = at(row, j)
      for (let k = 0; k < j; k++) rest -= at(row, k) * at(other, k)
      row[j] = i === j ? Math.sqrt(rest) : rest / at(other, j)
    }
  return {
    logDeterminant: lower.reduce((sum, row, i) => sum + 2 * Math.log(at(row, i)), 0),
    solve(right) {
      const x = Float64Array.from(right)
      for (const [i, row] of lower.entries()) {
        for (let k = 0; k < i; k++) x[i] = at(x, i) - at(row, k) * at(x, k)
        x[i] = at(x, i) / at(row, i)
      }
      for (let i = lower.length - 1; i >= 0; i--) {
        for (let k = i + 1; k < lower.length; k++) x[i] = at(x, i) - at(lower[k], i) * at(x, k)
        x[i] = at(x, i) / at(lower[i], i)
      }
      return x
    },
  }
}

const at = (values: Float64Array | undefined, index: number): number => values?.[index] as number
