import { type Outline, readEstadoOutlines, readMunicipioOutlines } from '../../../brasil/malha.ts'
import { ESTADOS_IBGE } from '../../../brasil/uf.ts'
import { boxOf, type Place, type Point } from '../../../charts/outlines.ts'
import { toPlane } from '../../../charts/plane.ts'
import type { LugarDoMapa } from '../dados.ts'

/** Islands far out would make all else small: of a state, rings below this share of its box are left out. */
const LEAST_SHARE = 0.002

/** Outlines of the places of a map; one without an outline has its seat alone. Reads the mesh: about 30 ms for a state. */
export function placesOf(tipo: 'estado' | 'municipio', lugares: readonly LugarDoMapa[]): Place[] {
  const rings =
    tipo === 'estado' ? estadoRings() : municipioRings(new Set(lugares.map(({ codigo }) => codigo)))
  return lugares.flatMap(({ codigo, nome, latitude, longitude }) => {
    const known = rings.get(codigo)
    if (known !== undefined) return [{ id: codigo, nome, rings: known, box: boxOf(known.flat()) }]
    if (latitude === null || longitude === null) return []
    return [{ id: codigo, nome, rings: [], box: boxOf([toPlane(longitude, latitude)]) }]
  })
}

const municipioRings = (codigos: ReadonlySet<string>) =>
  new Map<string, Point[][]>(
    readMunicipioOutlines((codigo) => codigos.has(codigo)).map(({ codigo, rings }) => [codigo, rings]),
  )

function estadoRings(): Map<string, Point[][]> {
  const ufs = new Map(ESTADOS_IBGE.map(({ codigo, uf }) => [String(codigo), uf]))
  return new Map(readEstadoOutlines().map((outline) => [ufs.get(outline.codigo) ?? '', mainRings(outline)]))
}

function mainRings({ rings }: Outline): Point[][] {
  const sizes = rings.map((ring) => {
    const [left, top, right, bottom] = boxOf(ring)
    return (right - left) * (bottom - top)
  })
  const most = Math.max(...sizes)
  return rings.filter((_, i) => (sizes[i] as number) >= LEAST_SHARE * most)
}
