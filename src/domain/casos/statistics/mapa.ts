import { addDays, dateInBrazil } from '../../../brasil/calendar.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { type Selection, selectionOf } from '../counters/counters.sql.ts'
import { recordIdentifiedRead } from '../reading/read.ts'
import { unseal } from '../sigilo.ts'
import { withinTerritorio } from '../territorio.ts'
import { readNumbers } from './fonte.ts'
import {
  type CellRow,
  countCells,
  listMiddles,
  listSealed,
  listSharedPoints,
  MINIMUM_CELL,
  type Nivel,
} from './mapa.sql.ts'
import { bySetor } from './setores.ts'

export const NIVEIS = ['municipio', 'bairro', 'cep'] as const satisfies Nivel[]

export interface MapRequest {
  filter: Filter
  nivel: (typeof NIVEIS)[number]
  /** Number of last days, today included; null: all. */
  periodo: number | null
  bounds: MapBounds | null
  /** Includes small cells and whole postal codes; needs the permission, and is audited. */
  identificado: boolean
}

export interface MapBounds {
  minLon: number
  minLat: number
  maxLon: number
  maxLat: number
}

export interface MapCell {
  /** Null for the rest: cases without a place, and those of cells too small to be shown. */
  ponto: Point | null
  municipio: string | null
  codigo_ibge: string | null
  estado: string | null
  bairro: string | null
  /** Whole in an identified read, else its first five digits. */
  cep: string | null
  casos: number
}

/** Cells with their number of cases; without `bounds` their sum is the number of cases of the filter. */
export async function heatMap(
  app: Pick<App, 'db' | 'reader' | 'municipios' | 'clock' | 'cipher' | 'auditoria'>,
  caller: Caller,
  request: MapRequest,
): Promise<MapCell[]> {
  const { filter, nivel: asked, periodo, identificado } = request
  if (identificado) await recordIdentifiedRead(app, caller, null, { mapa: asked, filtro: filter, periodo })
  const nivel = asked === 'cep' && !identificado ? 'setor' : asked
  const minimum = asked === 'municipio' || identificado ? 1 : MINIMUM_CELL
  const period = withinTerritorio(withPeriod(filter, periodo, app.clock), caller)
  const selection = selectionOf(nivel === 'setor' ? bySetor(period) : period, app.municipios)
  const counted = nivel === 'municipio' && selection.scope !== null
  return readNumbers(app, { counted }, (db) =>
    cellsOf({ ...app, db }, caller, request, { nivel, minimum, selection }),
  )
}

interface Cut {
  nivel: Nivel
  /** Smallest cell that is shown. */
  minimum: number
  selection: Selection
}

async function cellsOf(
  app: { db: Db } & Pick<App, 'municipios' | 'cipher'>,
  caller: Caller,
  { bounds, identificado }: MapRequest,
  { nivel, minimum, selection }: Cut,
): Promise<MapCell[]> {
  const rows = await countCells(app.db, nivel, selection)
  const isPlaced = (row: CellRow) => row.key !== null && row.municipio !== null && row.casos >= minimum
  const placed = rows.filter(isPlaced)
  const rest = rows.reduce((sum, row) => sum + row.total - (isPlaced(row) ? row.casos : 0), 0)
  const ceps = nivel === 'cep' ? await openCeps(app, placed) : new Map<number, string | null>()
  const points = await pointsOf(app, caller, nivel, placed, identificado)
  const cells = placed.map((row) =>
    toMapCell(app, row, ceps.get(row.sample ?? 0) ?? row.setor, points.get(row.key ?? '')),
  )
  if (bounds !== null) return cells.filter(({ ponto }) => ponto !== null && isWithin(ponto, bounds))
  return rest === 0 ? cells : [...cells, { ...NOWHERE, casos: rest }]
}

interface Point {
  latitude: number
  longitude: number
}

const EVERYTHING: Filter = { kind: 'and', of: [] }

/** Points of cells by their key; a cell without one stands at the centre of its municipality. */
async function pointsOf(
  { db, municipios }: { db: Db } & Pick<App, 'municipios'>,
  caller: Caller,
  nivel: Nivel,
  cells: CellRow[],
  identificado: boolean,
): Promise<Map<string, Point>> {
  if (nivel === 'municipio') return new Map()
  const keys = cells.flatMap(({ key }) => key ?? [])
  const selection = selectionOf(withinTerritorio(EVERYTHING, caller), municipios)
  const rows = await (identificado ? listMiddles : listSharedPoints)(db, nivel, keys, selection)
  return new Map(rows.map(({ key, latitude, longitude }) => [key, { latitude, longitude }]))
}

const NOWHERE = {
  ponto: null,
  municipio: null,
  codigo_ibge: null,
  estado: null,
  bairro: null,
  cep: null,
}

function withPeriod(filter: Filter, periodo: number | null, { now }: App['clock']): Filter {
  if (periodo === null) return filter
  const first = addDays(dateInBrazil(now()), 1 - periodo)
  return {
    kind: 'and',
    of: [filter, { kind: 'test', field: 'data_notificacao', op: 'gte', value: first }],
  }
}

/** Decrypts the postal code of each cell from one of its cases: it is stored nowhere else. */
async function openCeps(
  { db, cipher }: { db: Db } & Pick<App, 'cipher'>,
  cells: CellRow[],
): Promise<Map<number, string | null>> {
  const sealed = await listSealed(
    db,
    cells.flatMap(({ sample }) => sample ?? []),
  )
  return new Map(sealed.map((row) => [row.id, unseal(cipher, row).cep_residencia]))
}

function toMapCell(
  { municipios }: Pick<App, 'municipios'>,
  row: CellRow,
  cep: string | null,
  point: Point | undefined,
): MapCell {
  const municipio = municipios.byCodigo(row.municipio ?? 0)
  const ponto = point ?? municipio
  return {
    ponto: ponto && { latitude: rounded(ponto.latitude), longitude: rounded(ponto.longitude) },
    municipio: municipio?.nome ?? null,
    codigo_ibge: municipio === null ? null : String(municipio.codigo),
    estado: municipio?.uf ?? null,
    bairro: row.bairro,
    cep,
    casos: row.casos,
  }
}

/** Rounds to about ten metres; `bounds` are compared with the rounded point. */
const rounded = (degrees: number) => Math.round(degrees * 10_000) / 10_000

function isWithin(
  ponto: NonNullable<MapCell['ponto']>,
  { minLon, minLat, maxLon, maxLat }: MapBounds,
): boolean {
  const { latitude, longitude } = ponto
  return latitude >= minLat && latitude <= maxLat && longitude >= minLon && longitude <= maxLon
}
