export interface Factors {
  logDeterminant: number
  solve(right: Float64Array): Float64Array
}

/** Cholesky decomposition of a symmetric positive definite matrix, row by row; only its lower half is read. */
export function choleskyOf(matrix: readonly Float64Array[]): Factors {
  const lower = matrix.map((row) => row.slice())
  for (let i = 0; i < lower.length; i++) {
    const row = lower[i] as Float64Array
    for (let j = 0; j <= i; j++) {
      const other = lower[j] as Float64Array
      let rest = row[j] as number
      for (let k = 0; k < j; k++) rest -= (row[k] as number) * (other[k] as number)
      row[j] = i === j ? Math.sqrt(rest) : rest / (other[j] as number)
    }
  }
  return {
    logDeterminant: lower.reduce((sum, row, i) => sum + 2 * Math.log(row[i] as number), 0),
    solve(right) {
      const x = right.slice()
      for (let i = 0; i < lower.length; i++) {
        const row = lower[i] as Float64Array
        let rest = x[i] as number
        for (let k = 0; k < i; k++) rest -= (row[k] as number) * (x[k] as number)
        x[i] = rest / (row[i] as number)
      }
      for (let i = lower.length - 1; i >= 0; i--) {
        const row = lower[i] as Float64Array
        const solved = (x[i] as number) / (row[i] as number)
        x[i] = solved
        for (let k = 0; k < i; k++) x[k] = (x[k] as number) - (row[k] as number) * solved
      }
      return x
    },
  }
}
