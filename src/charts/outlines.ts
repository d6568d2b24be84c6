export type Point = readonly [number, number]
/** Least x, least y, greatest x, greatest y. */
export type Box = readonly [number, number, number, number]

export interface Place {
  id: string
  nome: string
  /** Closed; a point that is in an odd number of them is inside. Empty: only a seat is known. */
  rings: Point[][]
  box: Box
}

export function boxOf(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return [left, top, right, bottom]
}

const areaOf = ([left, top, right, bottom]: Box) => (right - left) * (bottom - top)

/** Box of the main parts: small islands far out in the sea would make everything else small. */
export function boxAround(places: readonly Place[]): Box {
  const mains = places.map(({ rings, box }) => {
    if (rings.length < 2) return box
    return rings.map(boxOf).reduce((most, one) => (areaOf(one) > areaOf(most) ? one : most))
  })
  return boxOf(
    mains.flatMap(([left, top, right, bottom]): Point[] => [
      [left, top],
      [right, bottom],
    ]),
  )
}

/** From the plane to the pixels of a drawing, the whole box in the middle. */
export interface Fit {
  scale: number
  x: number
  y: number
}

export function fitOf([left, top, right, bottom]: Box, width: number, height: number, margin = 6): Fit {
  const scale = Math.min(
    (width - 2 * margin) / Math.max(right - left, 1e-6),
    (height - 2 * margin) / Math.max(bottom - top, 1e-6),
  )
  return {
    scale,
    x: (width - scale * (left + right)) / 2,
    y: (height - scale * (top + bottom)) / 2,
  }
}

/** Pixels of the circle that stands for a place without an outline. */
export const SEAT_PX = 5
