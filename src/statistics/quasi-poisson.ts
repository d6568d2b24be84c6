import { choleskyOf } from './cholesky.ts'

/** Regression with a logarithmic link and a variance of `dispersion` times the mean. */

export interface Observation {
  response: number
  /** One for each coefficient. */
  predictors: readonly number[]
  /** Weight that the observation has in the likelihood. */
  weight: number
}

export interface Regression {
  coefficients: Float64Array
  /** Fitted mean of each observation. */
  means: Float64Array
  dispersion: number
}

const MOST_STEPS = 50
const SETTLED = 1e-8
/** Keeps the logarithm of the first guess finite where nothing was observed. */
const ABOVE_ZERO = 0.1

/** Iteratively reweighted least squares; null where the deviance does not settle. */
export function quasiPoisson(observations: readonly Observation[]): Regression | null {
  let means = Float64Array.from(observations, ({ response }) => response + ABOVE_ZERO)
  let deviance = Number.POSITIVE_INFINITY
  for (let step = 0; step < MOST_STEPS; step++) {
    const coefficients = leastSquares(observations, means)
    means = Float64Array.from(observations, ({ predictors }) => predicted(coefficients, predictors))
    const next = devianceOf(observations, means)
    if (!Number.isFinite(next)) return null
    if (Math.abs(next - deviance) < SETTLED * (Math.abs(next) + ABOVE_ZERO))
      return { coefficients, means, dispersion: dispersionOf(observations, means) }
    deviance = next
  }
  return null
}

/** Mean at some values of the predictors. */
export function predicted(coefficients: Float64Array, predictors: readonly number[]): number {
  let eta = 0
  for (let i = 0; i < predictors.length; i++) eta += (coefficients[i] as number) * (predictors[i] as number)
  return Math.exp(eta)
}

/** Coefficients of the linear model that touches the logarithmic one at the given means. */
function leastSquares(observations: readonly Observation[], means: Float64Array): Float64Array {
  const right = new Float64Array(observations[0]?.predictors.length ?? 0)
  for (const [i, { response, predictors, weight }] of observations.entries()) {
    const mu = means[i] as number
    const target = weight * (mu * Math.log(mu) + response - mu)
    for (let row = 0; row < right.length; row++)
      right[row] = (right[row] as number) + target * (predictors[row] as number)
  }
  return choleskyOf(informationOf(observations, means)).solve(right)
}

/** Fisher information: the weighted products of the predictors, most of which are 0 where they stand for levels. */
function informationOf(observations: readonly Observation[], means: Float64Array): Float64Array[] {
  const size = observations[0]?.predictors.length ?? 0
  const information = Array.from({ length: size }, () => new Float64Array(size))
  for (const [i, { predictors, weight }] of observations.entries())
    for (let row = 0; row < size; row++) {
      const factor = weight * (means[i] as number) * (predictors[row] as number)
      if (factor === 0) continue
      const cells = information[row] as Float64Array
      for (let column = 0; column < size; column++)
        cells[column] = (cells[column] as number) + factor * (predictors[column] as number)
    }
  return information
}

function devianceOf(observations: readonly Observation[], means: Float64Array): number {
  let deviance = 0
  for (const [i, { response, weight }] of observations.entries()) {
    const mu = means[i] as number
    const ofLogarithm = response === 0 ? 0 : response * Math.log(response / mu)
    deviance += 2 * weight * (ofLogarithm - (response - mu))
  }
  return deviance
}

/** Pearson's estimate; may be below 1. */
function dispersionOf(observations: readonly Observation[], means: Float64Array): number {
  let pearson = 0
  for (const [i, { response, weight }] of observations.entries()) {
    const mu = means[i] as number
    pearson += (weight * (response - mu) ** 2) / mu
  }
  return pearson / (observations.length - (observations[0]?.predictors.length ?? 0))
}

/** Share that each observation has in its own fitted value: diagonal of the hat matrix. */
export function leveragesOf(observations: readonly Observation[], { means }: Regression): Float64Array {
  const information = choleskyOf(informationOf(observations, means))
  return Float64Array.from(observations, ({ predictors, weight }, i) => {
    const solved = information.solve(Float64Array.from(predictors))
    return (
      weight * (means[i] as number) * predictors.reduce((sum, x, k) => sum + x * (solved[k] as number), 0)
    )
  })
}
