/**
 * Straight paths of SVG, for the console and the bulletin. `d3-shape` and `d3-scale` would be 14 KB (gzip) of the painel's first load,
 * for curves and colours that nobody draws here (D-310, D-380).
 */

export type Coordinates = readonly [number, number]

const at = ([x, y]: Coordinates) => `${x.toFixed(1)} ${y.toFixed(1)}`

export const linePath = (points: readonly Coordinates[]): string =>
  points.length === 0 ? '' : `M${points.map(at).join('L')}`

/** A line with gaps where a point is null; a point between two gaps is a dot, where ends are round. */
export function brokenPath(points: readonly (Coordinates | null)[]): string {
  const parts: Coordinates[][] = [[]]
  for (const point of points) {
    if (point === null) parts.push([])
    else parts.at(-1)?.push(point)
  }
  return parts.map((part) => linePath(part.length === 1 ? [...part, ...part] : part)).join('')
}

/** Between two lines; a gap where there is none of them. */
export function bandPath(spans: readonly (readonly [x: number, low: number, high: number] | null)[]): string {
  const parts: string[] = []
  let from = 0
  for (let i = 0; i <= spans.length; i++) {
    if (i < spans.length && spans[i] !== null) continue
    const part = spans.slice(from, i).filter((span) => span !== null)
    const there = part.map(([x, , high]): Coordinates => [x, high])
    const back = part.map(([x, low]): Coordinates => [x, low]).toReversed()
    if (part.length > 0) parts.push(`${linePath([...there, ...back])}Z`)
    from = i + 1
  }
  return parts.join('')
}
