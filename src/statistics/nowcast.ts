import {
  type BorderedFactors,
  type BorderedMatrix,
  createBorderedFactors,
  type Solution,
} from './bordered-matrix.ts'
import { lgamma } from './gamma.ts'
import { type NegativeBinomial, negativeBinomialOf } from './negative-binomial.ts'
import { maximise, type Range } from './nelder-mead.ts'

/**
 * Nowcast of a reporting triangle: cases of row `t` that come with delay `d` are negative binomial around exp(a_t + b_d), where
 * `a` (size of the row) and `b` (delay, b_0 = 0) are random walks. For given hyperparameters the mode is found by Newton's
 * method, its uncertainty from the curvature there (Laplace); the hyperparameters maximise the marginal likelihood. Without
 * random numbers: the same triangle gives the same answer.
 */

/** `rows[t][d]`, oldest row first, every row with the same delays; known where `t + d` is not after the last row. */
export type Triangle = readonly (readonly number[])[]

/** Logarithms of the precisions of both walks and of the size of the negative binomial distribution. */
export interface Hyperparameters {
  lnTauRows: number
  lnTauDelays: number
  lnPhi: number
}

/** Rows after which a cell counts half: older rows tell less about today's delays. */
export const HALF_LIFE = 8
/** Precision of the prior that keeps the mode of an empty triangle finite. */
const RIDGE = 1e-4
const SETTLED = 1e-7
const MOST_STEPS = 100
const MOST_HALVINGS = 40

export interface Fit {
  a: Float64Array
  b: Float64Array
  phi: number
  /** Logarithm of the marginal likelihood with the prior of the hyperparameters. */
  objective: number
  curvature: BorderedFactors
}

interface Mode {
  a: Float64Array
  b: Float64Array
}

/** Value, gradient and minus the Hessian of the log posterior at a point. */
interface Expansion {
  value: number
  gradient: Solution
  curvature: BorderedMatrix
}

/** Two points of the posterior, the step between them and its matrix: allocating them for each fit would take as long as computing. */
interface Room {
  modes: readonly [Mode, Mode]
  points: readonly [Expansion, Expansion]
  step: Solution
  factors: BorderedFactors
}

function roomFor({ a, b }: Mode): Room {
  const [rows, delays] = [a.length, b.length - 1]
  const mode = () => ({ a: new Float64Array(rows), b: new Float64Array(delays + 1) })
  return {
    modes: [mode(), mode()],
    points: [emptyExpansion(rows, delays), emptyExpansion(rows, delays)],
    step: emptySolution(rows, delays),
    factors: createBorderedFactors(rows, delays),
  }
}

/** Parts of a fit that the next one of the same triangle goes on from. Fits that share their room overwrite each other. */
interface Prepared {
  known: KnownPart
  start: Mode
  room: Room
}

export function fit(
  triangle: Triangle,
  hyperparameters: Hyperparameters,
  { known = knownPart(triangle), start = startOf(triangle), room = roomFor(start) }: Partial<Prepared> = {},
): Fit {
  const { mode, at } = climb(posteriorOf(known, hyperparameters), start, room)
  const { factors } = room
  factors.factorise(at.curvature)
  const [rows, delays] = [mode.a.length, mode.b.length - 1]
  const { lnTauRows, lnTauDelays, lnPhi } = hyperparameters
  const ofWalks = 0.5 * (rows - 1) * lnTauRows + 0.5 * delays * lnTauDelays
  return {
    ...mode,
    phi: Math.exp(lnPhi),
    objective: at.value + ofWalks - 0.5 * factors.logDeterminant() + priorOf(hyperparameters),
    curvature: factors,
  }
}

function priorOf({ lnTauRows, lnTauDelays, lnPhi }: Hyperparameters): number {
  const ofPrecision = (lnTau: number) => lnTau - 5e-5 * Math.exp(lnTau)
  return ofPrecision(lnTauRows) + ofPrecision(lnTauDelays) - 0.5 * ((lnPhi - 2) / 1.5) ** 2
}

/** Hyperparameters that the search begins with: the middle of what triangles have. */
const START = [2, 1, 2] as const
const BOX: readonly Range[] = [
  { from: -2, to: 9 },
  { from: -3, to: 8 },
  { from: -2, to: 7 },
]

/** Hyperparameters that maximise the objective; each fit starts from the mode of the one before. */
export function estimateHyperparameters(triangle: Triangle): Hyperparameters {
  const known = knownPart(triangle)
  let start = startOf(triangle)
  const room = roomFor(start)
  const best = maximise(
    (point) => {
      const found = fit(triangle, namedOf(point), { known, start, room })
      start = found
      return found.objective
    },
    START,
    BOX,
  )
  return namedOf(best.at)
}

export const usualHyperparameters = (): Hyperparameters => namedOf(START)

const namedOf = ([lnTauRows = 0, lnTauDelays = 0, lnPhi = 0]: readonly number[]): Hyperparameters => ({
  lnTauRows,
  lnTauDelays,
  lnPhi,
})

function startOf(triangle: Triangle): Mode {
  const total = triangle.flat().reduce((sum, cases) => sum + cases, 0)
  const level = Math.log(Math.max(total / triangle.length / 3, RIDGE))
  return {
    a: new Float64Array(triangle.length).fill(level),
    b: new Float64Array(triangle[0]?.length ?? 1),
  }
}

/** Newton's method with step halving; the posterior is concave, so there is one mode. */
function climb(
  posterior: Posterior,
  start: Mode,
  { modes, points, step: direction, factors }: Room,
): { mode: Mode; at: Expansion } {
  let [mode, next] = modes
  mode.a.set(start.a)
  mode.b.set(start.b)
  let [here, there] = points
  posterior(mode, here)
  for (let step = 0; step < MOST_STEPS; step++) {
    factors.factorise(here.curvature)
    factors.solve(here.gradient, direction)
    let share = 1
    move(mode, direction, share, next)
    posterior(next, there)
    for (let halvings = 0; !(there.value >= here.value) && halvings < MOST_HALVINGS; halvings++) {
      share /= 2
      move(mode, direction, share, next)
      posterior(next, there)
    }
    const gain = there.value - here.value
    if (!(gain >= 0)) break
    ;[mode, next] = [next, mode]
    ;[here, there] = [there, here]
    if (gain < SETTLED) break
  }
  return { mode, at: here }
}

function move({ a, b }: Mode, { top, bottom }: Solution, share: number, into: Mode): void {
  for (let t = 0; t < a.length; t++) into.a[t] = (a[t] as number) + share * (top[t] as number)
  for (let d = 1; d < b.length; d++) into.b[d] = (b[d] as number) + share * (bottom[d - 1] as number)
}

/** Cells of a triangle that are known, row by row: as many delays as are over. */
interface KnownPart {
  delays: number
  rows: readonly Float64Array[]
  /** Of every cell of a row. */
  weights: Float64Array
  /** Sum of the weights of all cells, and of those with each number of cases: gamma functions are computed once a number. */
  weight: number
  weightOf: ReadonlyMap<number, number>
}

function knownPart(triangle: Triangle): KnownPart {
  const last = triangle.length - 1
  const rows = triangle.map((cells, row) => Float64Array.from(cells.slice(0, last - row + 1)))
  const weights = Float64Array.from(rows, (_, row) => 0.5 ** ((last - row) / HALF_LIFE))
  const weightOf = new Map<number, number>()
  let weight = 0
  for (const [row, cells] of rows.entries())
    for (const cases of cells) {
      const own = weights[row] as number
      weight += own
      weightOf.set(cases, (weightOf.get(cases) ?? 0) + own)
    }
  return { delays: triangle[0]?.length ?? 1, rows, weights, weight, weightOf }
}

/** Part of the log posterior that only the hyperparameters change. */
function constantOf({ weight, weightOf }: KnownPart, phi: number): number {
  let total = weight * phi * Math.log(phi)
  for (const [cases, own] of weightOf)
    if (cases > 0) total += own * (lgamma(cases + phi) - lgamma(phi) - lgamma(cases + 1))
  return total
}

/** Writes value and derivatives at a point into `expansion`. */
type Posterior = (mode: Mode, expansion: Expansion) => void

/** Log posterior of a triangle as a function of the mode. Hot: a nowcast with its hyperparameters evaluates it 300 times. */
function posteriorOf(known: KnownPart, hyperparameters: Hyperparameters): Posterior {
  const [tauA, tauB] = [Math.exp(hyperparameters.lnTauRows), Math.exp(hyperparameters.lnTauDelays)]
  const phi = Math.exp(hyperparameters.lnPhi)
  const constant = constantOf(known, phi)
  const ofDelays = new Float64Array(known.delays)
  return ({ a, b }, expansion) => {
    clear(expansion)
    expansion.value = constant
    for (let delay = 0; delay < b.length; delay++) ofDelays[delay] = Math.exp(b[delay] as number)
    for (let row = 0; row < a.length; row++) addRow(expansion, known, row, a[row] as number, b, ofDelays, phi)
    addWalk(expansion, a, b, tauA, tauB)
  }
}

/**
 * Adds the cells of a row; `ofDelays` are the exponentials of `b`. Most cells are empty: their logarithms have one factor, and
 * are taken together as that of a product.
 */
function addRow(
  expansion: Expansion,
  { rows, weights }: KnownPart,
  row: number,
  size: number,
  b: Float64Array,
  ofDelays: Float64Array,
  phi: number,
): void {
  const { gradient, curvature } = expansion
  const { border, corner } = curvature
  const { bottom } = gradient
  const cells = rows[row] as Float64Array
  const weight = weights[row] as number
  const ofRow = Math.exp(size)
  const width = bottom.length
  const at = row * width - 1
  let [value, slopes, bends, product] = [0, 0, 0, 1]
  for (let delay = 0; delay < cells.length; delay++) {
    const cases = cells[delay] as number
    const mu = ofRow * (ofDelays[delay] as number)
    const spread = phi + mu
    if (cases === 0) product *= spread
    else value += cases * (size + (b[delay] as number)) - (cases + phi) * Math.log(spread)
    const share = mu / spread
    const pull = weight * (cases + phi) * share
    const slope = weight * cases - pull
    const bend = pull * (1 - share)
    slopes += slope
    bends += bend
    if (delay === 0) continue
    border[at + delay] = bend
    bottom[delay - 1] = (bottom[delay - 1] as number) + slope
    const diagonal = (delay - 1) * (width + 1)
    corner[diagonal] = (corner[diagonal] as number) + bend
  }
  expansion.value += weight * (value - phi * Math.log(product))
  gradient.top[row] = slopes
  curvature.diagonal[row] = bends
}

const emptySolution = (rows: number, delays: number): Solution => ({
  top: new Float64Array(rows),
  bottom: new Float64Array(delays),
})

function emptyExpansion(rows: number, delays: number): Expansion {
  return {
    value: 0,
    gradient: emptySolution(rows, delays),
    curvature: {
      diagonal: new Float64Array(rows),
      beside: new Float64Array(rows - 1),
      border: new Float64Array(rows * delays),
      corner: new Float64Array(delays * delays),
    },
  }
}

/** Of the border only known cells are written, the same ones each time. */
function clear({ gradient, curvature }: Expansion): void {
  gradient.bottom.fill(0)
  curvature.corner.fill(0)
}

const add = (values: Float64Array, index: number, amount: number): void => {
  values[index] = (values[index] as number) + amount
}

/** Priors: both random walks, that of the delays beginning at b_0 = 0, and the ridge. */
function addWalk(expansion: Expansion, a: Float64Array, b: Float64Array, tauA: number, tauB: number): void {
  const { gradient, curvature } = expansion
  const { corner } = curvature
  const width = b.length - 1
  for (let t = 1; t < a.length; t++) {
    const step = (a[t] as number) - (a[t - 1] as number)
    expansion.value -= 0.5 * tauA * step ** 2
    add(gradient.top, t, -tauA * step)
    add(gradient.top, t - 1, tauA * step)
    add(curvature.diagonal, t, tauA)
    add(curvature.diagonal, t - 1, tauA)
    curvature.beside[t - 1] = -tauA
  }
  for (let d = 1; d < b.length; d++) {
    const step = (b[d] as number) - (b[d - 1] as number)
    const diagonal = (d - 1) * (width + 1)
    expansion.value -= 0.5 * tauB * step ** 2
    add(gradient.bottom, d - 1, -tauB * step)
    add(corner, diagonal, tauB)
    if (d === 1) continue
    add(gradient.bottom, d - 2, tauB * step)
    add(corner, diagonal - width - 1, tauB)
    corner[diagonal - 1] = -tauB
  }
  addRidge(expansion, a, b)
}

function addRidge(expansion: Expansion, a: Float64Array, b: Float64Array): void {
  const { gradient, curvature } = expansion
  for (let t = 0; t < a.length; t++) {
    const value = a[t] as number
    expansion.value -= 0.5 * RIDGE * value ** 2
    add(gradient.top, t, -RIDGE * value)
    add(curvature.diagonal, t, RIDGE)
  }
  for (let d = 1; d < b.length; d++) {
    const value = b[d] as number
    expansion.value -= 0.5 * RIDGE * value ** 2
    add(gradient.bottom, d - 1, -RIDGE * value)
    add(curvature.corner, (d - 1) * b.length, RIDGE)
  }
}

/** A delay that never happens has a huge variance: without a bound the mean would follow it. */
const MOST_COVARIANCE = 2
/** A negative binomial distribution needs more variance than mean. */
const LEAST_DISPERSION = 1.0001

/** Cases of the row `age` rows before the last that are still to come; null where no delay is missing. */
export function missingOf({ a, b, phi, curvature }: Fit, age: number): NegativeBinomial | null {
  const row = a.length - 1 - age
  const delays = Array.from({ length: b.length }, (_, delay) => delay).slice(age + 1)
  if (delays.length === 0) return null
  const { own, withCorner } = curvature.inverseRow(row)
  const ofDelays = curvature.cornerInverse()
  const withDelay = (delay: number) => withCorner[delay - 1] as number
  const covariance = (k: number, l: number) => {
    const exact = own + withDelay(k) + withDelay(l) + (ofDelays[k - 1]?.[l - 1] as number)
    return Math.max(-MOST_COVARIANCE, Math.min(MOST_COVARIANCE, exact))
  }
  const cells = delays.map((delay) => {
    const centre = (a[row] as number) + (b[delay] as number)
    const spread = covariance(delay, delay)
    return { delay, mean: Math.exp(centre + spread / 2), square: Math.exp(2 * centre + 2 * spread) }
  })
  const mean = cells.reduce((sum, cell) => sum + cell.mean, 0)
  let variance = mean + cells.reduce((sum, { square }) => sum + square / phi, 0)
  for (const k of cells)
    for (const l of cells) variance += k.mean * l.mean * Math.expm1(covariance(k.delay, l.delay))
  return negativeBinomialOf(mean, Math.max(variance, LEAST_DISPERSION * mean))
}
