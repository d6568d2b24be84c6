import type { Fit, Point } from './outlines.ts'

/** Closed paths of SVG around a point, one for each meaning: told apart without colours. */

export type Sign = 'circle' | 'triangle' | 'diamond' | 'square'

/** Whole tenths would bend small signs. */
const n = (value: number) => value.toFixed(2)
const tenths = (value: number) => value.toFixed(1)

/** Radius `r` of the circle; the others look as large. */
export function symbolPath(symbol: Sign, [x, y]: Point, r: number): string {
  switch (symbol) {
    case 'circle':
      return `M${n(x - r)} ${n(y)}A${n(r)} ${n(r)} 0 1 1 ${n(x + r)} ${n(y)}A${n(r)} ${n(r)} 0 1 1 ${n(x - r)} ${n(y)}Z`
    case 'triangle':
      return `M${n(x)} ${n(y - 1.2 * r)}L${n(x + 1.15 * r)} ${n(y + 0.85 * r)}L${n(x - 1.15 * r)} ${n(y + 0.85 * r)}Z`
    case 'diamond':
      return `M${n(x)} ${n(y - 1.3 * r)}L${n(x + 1.3 * r)} ${n(y)}L${n(x)} ${n(y + 1.3 * r)}L${n(x - 1.3 * r)} ${n(y)}Z`
    case 'square':
      return rectPath(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r)
  }
}

export const rectPath = (x: number, y: number, width: number, height: number): string =>
  `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}Z`

/** Outline of a place; points that fall on the one before are left out. */
export function outlinePath(rings: readonly (readonly Point[])[], { scale, x, y }: Fit): string {
  return rings
    .map((ring) => {
      const points = ring.map(([px, py]) => `${tenths(x + scale * px)} ${tenths(y + scale * py)}`)
      const distinct = points.filter((point, i) => point !== points[i - 1])
      // The last point of a ring is its first one, which Z returns to.
      return distinct.length < 4 ? '' : `M${distinct.slice(0, -1).join('L')}Z`
    })
    .join('')
}

/** Point in the middle of the largest ring: centroid of its area. */
export function middleOf(rings: readonly (readonly Point[])[]): Point {
  const parts = rings.map(centroidOf)
  const { x, y } = parts.reduce((most, one) => (one.area > most.area ? one : most), { x: 0, y: 0, area: -1 })
  return [x, y]
}

function centroidOf(ring: readonly Point[]): { x: number; y: number; area: number } {
  let [x, y, twice] = [0, 0, 0]
  for (let i = 1; i < ring.length; i++) {
    const [x1, y1] = ring[i - 1] as Point
    const [x2, y2] = ring[i] as Point
    const cross = x1 * y2 - x2 * y1
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
    twice += cross
  }
  if (twice === 0) return { x: ring[0]?.[0] ?? 0, y: ring[0]?.[1] ?? 0, area: 0 }
  return { x: x / (3 * twice), y: y / (3 * twice), area: Math.abs(twice) / 2 }
}
