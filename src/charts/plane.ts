/** Plane of the mesh: longitude and latitude, scaled alike; found by how many seats lie in their own outline (95 in 100). */
const PLANE = { scale: 17.681, x: 1309.0, y: 94.44 }

export const toPlane = (longitude: number, latitude: number): [number, number] => [
  PLANE.x + PLANE.scale * longitude,
  PLANE.y - PLANE.scale * latitude,
]
