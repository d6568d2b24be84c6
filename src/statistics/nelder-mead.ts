export interface Range {
  from: number
  to: number
}

interface Corner {
  at: number[]
  value: number
}

/** Length of the first steps, and the spread of values at which the search ends. */
const STEP = 1
const CLOSE = 1e-3
const MOST_EVALUATIONS = 200

/** Maximum of a function inside of a box by Nelder and Mead's simplex; points outside are taken to its border. */
export function maximise(
  valueAt: (point: number[]) => number,
  start: readonly number[],
  box: readonly Range[],
): Corner {
  let evaluations = 0
  const cornerAt = (point: readonly number[]): Corner => {
    evaluations++
    const at = point.map((x, i) => Math.min(box[i]?.to ?? x, Math.max(box[i]?.from ?? x, x)))
    return { at, value: valueAt(at) }
  }
  const simplex = [
    cornerAt(start),
    ...start.map((_, i) => cornerAt(start.map((x, j) => (i === j ? x + STEP : x)))),
  ]
  const best = () => simplex[0] as Corner
  const worst = () => simplex.at(-1) as Corner
  for (;;) {
    simplex.sort((a, b) => b.value - a.value)
    if (best().value - worst().value < CLOSE || evaluations >= MOST_EVALUATIONS) return best()
    const centre = centreOf(simplex.slice(0, -1))
    const along = (factor: number) => cornerAt(between(centre, worst().at, factor))
    const reflected = along(-1)
    if (reflected.value > best().value) {
      const further = along(-2)
      simplex[simplex.length - 1] = further.value > reflected.value ? further : reflected
    } else if (reflected.value > (simplex.at(-2) as Corner).value) simplex[simplex.length - 1] = reflected
    else {
      const isOutside = reflected.value > worst().value
      const contracted = along(isOutside ? -0.5 : 0.5)
      if (contracted.value > Math.max(reflected.value, worst().value))
        simplex[simplex.length - 1] = contracted
      else
        for (let i = 1; i < simplex.length; i++)
          simplex[i] = cornerAt(between(best().at, (simplex[i] as Corner).at, 0.5))
    }
  }
}

const centreOf = (corners: readonly Corner[]): number[] =>
  (corners[0]?.at ?? []).map(
    (_, i) => corners.reduce((sum, { at }) => sum + (at[i] ?? 0), 0) / corners.length,
  )

const between = (from: readonly number[], to: readonly number[], factor: number): number[] =>
  from.map((x, i) => x + factor * ((to[i] ?? x) - x))
