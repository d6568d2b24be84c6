// Makes the maps of the console from the mesh of IBGE that `mapa-brasil` carries as SVG: planar, quantised TopoJSON, one file with the states
// and one for each state with its municipalities. `build-console.ts` calls it; about 1 s, kept as long as its inputs are the same.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MultiPolygon } from 'geojson'
import type {
  GeometryCollection,
  Topology,
  MultiPolygon as TopoMultiPolygon,
  Polygon as TopoPolygon,
} from 'topojson-specification'
import { LAGOONS, packageFile, readMunicipioOutlines } from '../src/brasil/malha.ts'
import { ESTADOS_IBGE } from '../src/brasil/uf.ts'
import { toPlane } from '../src/charts/plane.ts'
import type { MapFile } from '../web/console/map/topology.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Names and seats; the mesh has names in capitals. */
const NAMES = 'src/brasil/tabelas/municipios.csv'
/** Files of the project that decide what the maps are; the mesh is held by the lockfile. */
export const MAP_INPUTS = [
  NAMES,
  'scripts/console-map.ts',
  'src/brasil/malha.ts',
  'src/brasil/uf.ts',
  'src/charts/plane.ts',
]

/** Steps of the grid that points are put on: finer than a pixel of a wide screen, coarse enough to be small. */
const STEPS_OF_STATES = 1_000
const STEPS_OF_MUNICIPALITIES = 1_000

type Shape = TopoMultiPolygon<{ nome: string }>

interface Municipio {
  codigo: string
  nome: string
  latitude: number
  longitude: number
}

/** By the inputs, not by the content: known before anything is made, so that the bundle can be made meanwhile. */
export function mapVersion(): string {
  const hash = createHash('sha256')
  for (const name of ['mapa-brasil', 'topojson-client', 'topojson-server'])
    hash.update(readFileSync(packageFile(`${name}/package.json`)))
  for (const file of MAP_INPUTS) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 8)
}

const fileOf = (place: string, version: string) => `mapa-${place}-${version}.json`

export const mapNames = (version: string): string[] =>
  ['br', ...ESTADOS_IBGE.map(({ uf }) => uf.toLowerCase())].map((place) => fileOf(place, version))

/** Contents of each file of a map, by its name. */
export async function mapFiles(version: string): Promise<[string, string][]> {
  const maps = await makeMaps()
  return Object.entries(maps).map(([place, map]) => [fileOf(place, version), JSON.stringify(map)])
}

/** By `br` and the states' letters. */
export async function makeMaps(): Promise<Record<string, MapFile>> {
  const [{ topology }, { mergeArcs, quantize }] = await Promise.all([
    import('topojson-server'),
    import('topojson-client'),
  ])
  const names = new Map(readNames().map((municipio) => [municipio.codigo, municipio]))
  const mesh = topology({ mesh: readMesh() }) as unknown as Topology<{ mesh: GeometryCollection }>
  const shapes = mesh.objects.mesh.geometries as Shape[]
  const byState = Map.groupBy(shapes, ({ id }) => Number(String(id).slice(0, 2)))
  const drawn = new Set(shapes.map(({ id }) => String(id)))
  const missing = [...names.values()].filter(({ codigo }) => !drawn.has(codigo))

  const states = ESTADOS_IBGE.map(({ codigo, uf, nome }) => {
    const outline = mergeArcs(mesh as never, byState.get(codigo) as never[]) as unknown as Shape
    return { ...outline, id: uf, properties: { nome } }
  })
  const pack = (geometries: Shape[], steps: number, seats: Municipio[] = []): MapFile => {
    const packed = quantize(withOwnArcs(mesh, geometries) as never, steps) as unknown as MapFile
    const { scale, translate } = packed.transform
    const step = (value: number, axis: 0 | 1) => Math.round((value - translate[axis]) / scale[axis])
    return {
      ...packed,
      seats: seats.map(({ codigo, nome, longitude, latitude }) => {
        const [x, y] = toPlane(longitude, latitude)
        return { id: codigo, nome, at: [step(x, 0), step(y, 1)] }
      }),
    }
  }
  const maps: Record<string, MapFile> = { br: pack(states, STEPS_OF_STATES) }
  for (const { codigo, uf } of ESTADOS_IBGE) {
    const geometries = (byState.get(codigo) as Shape[])
      .filter(({ id }) => !LAGOONS.includes(String(id)))
      .toSorted((one, other) => Number(one.id) - Number(other.id))
      .map((shape) => ({
        ...shape,
        properties: { nome: names.get(String(shape.id))?.nome ?? String(shape.id) },
      }))
    const seats = missing.filter((one) => one.codigo.startsWith(String(codigo)))
    maps[uf.toLowerCase()] = pack(geometries, STEPS_OF_MUNICIPALITIES, seats)
  }
  return maps
}

/** Topology of some shapes with no more arcs than they have, in the order they first come: near numbers compress well. */
function withOwnArcs(mesh: Topology, geometries: Shape[]) {
  const place = new Map<number, number>()
  const arcs: Topology['arcs'] = []
  const own = (arc: number): number => {
    const index = arc < 0 ? ~arc : arc
    const known = place.get(index)
    const at = known ?? arcs.push(mesh.arcs[index] as Topology['arcs'][number]) - 1
    if (known === undefined) place.set(index, at)
    return arc < 0 ? ~at : at
  }
  const lugares = geometries.map((shape): Shape | TopoPolygon => {
    const arcs = shape.arcs.map((polygon) => polygon.map((ring) => ring.map(own)))
    // Nearly all are of one piece: a level of brackets less makes the file smaller.
    if (arcs.length === 1) return { ...shape, type: 'Polygon', arcs: arcs[0] as number[][] }
    return { ...shape, arcs }
  })
  return { type: 'Topology', objects: { lugares: { type: 'GeometryCollection', geometries: lugares } }, arcs }
}

/** A feature for each municipality; every ring is a polygon of its own. */
function readMesh() {
  const features = readMunicipioOutlines(() => true).map(({ codigo, rings }) => {
    const geometry: MultiPolygon = { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }
    return { type: 'Feature' as const, id: codigo, properties: {}, geometry }
  })
  return { type: 'FeatureCollection' as const, features }
}

function readNames(): Municipio[] {
  const [, ...lines] = readFileSync(join(root, NAMES), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [codigo, nome, , latitude, longitude] = line.split(';') as [string, string, string, string, string]
    return { codigo, nome, latitude: Number(latitude), longitude: Number(longitude) }
  })
}
