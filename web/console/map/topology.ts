import { boxOf, type Fit, type Place, type Point, SEAT_PX } from '../../../src/charts/outlines.ts'

/** A map as `scripts/console-map.ts` makes it: planar TopoJSON in whole steps of a grid, and seats of places that have no outline yet. */
export interface MapFile {
  arcs: [number, number][][]
  transform: { scale: [number, number]; translate: [number, number] }
  objects: { lugares: { geometries: MapShape[] } }
  seats: { id: string; nome: string; at: [number, number] }[]
}

interface ShapeNames {
  id: string
  properties: { nome: string }
}
export type MapShape = ShapeNames &
  ({ type: 'Polygon'; arcs: number[][] } | { type: 'MultiPolygon'; arcs: number[][][] })

/** Places with their outlines, in the plane of the mesh (y grows downwards). */
export function placesOf({ arcs, transform, objects, seats }: MapFile): Place[] {
  const toPlane = ([x, y]: Point): Point => [
    x * transform.scale[0] + transform.translate[0],
    y * transform.scale[1] + transform.translate[1],
  ]
  const lines = arcs.map((arc) => {
    let x = 0
    let y = 0
    // Each point is a step from the one before it.
    return arc.map(([dx, dy]) => {
      x += dx
      y += dy
      return toPlane([x, y])
    })
  })
  const lineOf = (arc: number) => (arc < 0 ? (lines[~arc] as Point[]).toReversed() : (lines[arc] as Point[]))
  const ringOf = (ring: number[]) => ring.flatMap((arc, i) => lineOf(arc).slice(i === 0 ? 0 : 1))
  const outlined = objects.lugares.geometries.map((shape): Place => {
    const rings = (shape.type === 'Polygon' ? shape.arcs : shape.arcs.flat()).map(ringOf)
    return { id: shape.id, nome: shape.properties.nome, rings, box: boxOf(rings.flat()) }
  })
  const seated = seats.map(({ id, nome, at }): Place => {
    const point = toPlane(at)
    return { id, nome, rings: [], box: boxOf([point]) }
  })
  return [...outlined, ...seated]
}

/** The place at a point of the drawing: boxes first, then outlines; circles lie on top. */
export function placeAt(places: readonly Place[], fit: Fit, [px, py]: Point): Place | undefined {
  const point: Point = [(px - fit.x) / fit.scale, (py - fit.y) / fit.scale]
  const [x, y] = point
  return places.findLast(({ rings, box: [left, top, right, bottom] }) => {
    if (rings.length === 0) return Math.hypot(x - left, y - top) * fit.scale <= SEAT_PX + 2
    return x >= left && x <= right && y >= top && y <= bottom && isInside(rings, point)
  })
}

/** Counts the edges that a ray to the right crosses. */
function isInside(rings: readonly Point[][], [x, y]: Point): boolean {
  let inside = false
  for (const ring of rings)
    for (let i = 1; i < ring.length; i++) {
      const [x1, y1] = ring[i - 1] as Point
      const [x2, y2] = ring[i] as Point
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) inside = !inside
    }
  return inside
}
