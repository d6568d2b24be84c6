import { max } from 'd3-array'
import { bandPath, linePath } from '../../../src/charts/paths.ts'

const WIDTH = 92
const HEIGHT = 22

/** Course of a few weeks without axes, beside its number; for eyes only, the numbers are in the table. */
export function Sparkline({ values, filled = false }: { values: readonly number[]; filled?: boolean }) {
  const most = max(values) || 1
  const points = values.map((value, i): [number, number] => [
    1 + ((WIDTH - 2) * i) / Math.max(1, values.length - 1),
    HEIGHT - 2 - ((HEIGHT - 4) * value) / most,
  ])
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {filled && <path class="below" d={bandPath(points.map(([x, y]) => [x, HEIGHT, y]))} />}
      <path d={linePath(points)} />
    </svg>
  )
}
