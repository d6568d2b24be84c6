import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Outlines of IBGE's mesh, which `mapa-brasil` carries as SVG: a path for each place, in the order of a list of codes. */
const MUNICIPIOS = {
  svg: 'mapa-brasil/data/svg/low/municipios/br_municipios.svg',
  codes: 'mapa-brasil/data/json/municipios/br_municipios.json',
}
const ESTADOS = {
  svg: 'mapa-brasil/data/svg/low/federacao/br_unidades_da_federacao.svg',
  codes: 'mapa-brasil/data/json/federacao/br_unidades_da_federacao.json',
}
/** Lagoons of Rio Grande do Sul, which the mesh has among the municipalities. */
export const LAGOONS = ['4300001', '4300002']
/** Fernando de Noronha, 350 km out: drawn near the coast, as maps of Pernambuco do, so that the rest is not small. In the plane. */
const FAR = { codigo: '2605459', x: -33, y: 52 }

export interface Outline {
  codigo: string
  /** Closed; in the plane of the mesh (`src/charts/plane.ts`), y downwards. */
  rings: [number, number][][]
}

/** Municipalities by their seven digits, lagoons among them. */
export const readMunicipioOutlines = (isWanted: (codigo: string) => boolean): Outline[] =>
  readOutlines(MUNICIPIOS, isWanted)

/** Every state by its two digits. */
export const readEstadoOutlines = (): Outline[] => readOutlines(ESTADOS, () => true)

function readOutlines({ svg, codes }: typeof MUNICIPIOS, isWanted: (codigo: string) => boolean): Outline[] {
  const rows = JSON.parse(readFileSync(packageFile(codes), 'utf8')) as {
    CD_GEOCMU?: string
    CD_GEOCUF?: string
  }[]
  const paths = Array.from(
    readFileSync(packageFile(svg), 'utf8').matchAll(/<path[^>]* d="([^"]+)"/g),
    ([, path]) => path as string,
  )
  if (paths.length !== rows.length) throw new Error(`${paths.length} shapes for ${rows.length} codes`)
  return paths.flatMap((path, i) => {
    const codigo = (rows[i]?.CD_GEOCMU ?? rows[i]?.CD_GEOCUF) as string
    if (!isWanted(codigo)) return []
    const move = codigo === FAR.codigo ? FAR : { x: 0, y: 0 }
    // Every `M` begins a ring.
    const rings = path
      .split('M')
      .slice(1)
      .map((ring) => toPoints(ring, move))
    return [{ codigo, rings }]
  })
}

function toPoints(ring: string, move: { x: number; y: number }): [number, number][] {
  const numbers = ring.replace('Z', '').trim().split(' ').map(Number)
  const points: [number, number][] = []
  for (let i = 0; i < numbers.length; i += 2)
    points.push([(numbers[i] as number) + move.x, (numbers[i + 1] as number) + move.y])
  return points
}

/** A file of a package; several export their script alone. */
export function packageFile(path: string): string {
  const [name, ...rest] = path.split('/') as [string, ...string[]]
  const script = createRequire(import.meta.url).resolve(name)
  return join(script.slice(0, script.lastIndexOf(`/${name}/`)), name, ...rest)
}
