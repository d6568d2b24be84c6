import { addDays, dateInBrazil } from '../../calendar.ts'
import { type Caller, holds } from '../../caller.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import { recordIdentifiedRead } from './consultar.ts'
import { consultaOf } from './contagens.sql.ts'
import { type Abaixo, type CelulaRow, countCells, listLacrados, listMiddles, type Nivel } from './mapa.sql.ts'
import { unseal } from './sigilo.ts'

export const NIVEIS = ['municipio', 'bairro', 'cep'] as const satisfies Nivel[]

/** Below the municipality, fewer cases than this could be recognised. */
export const MINIMUM_CELL = 5

export interface Pedido {
  filter: Filter
  nivel: (typeof NIVEIS)[number]
  /** The last so many days, today included; null: all. */
  periodo: number | null
  bounds: Bounds | null
}

export interface Bounds {
  minLon: number
  minLat: number
  maxLon: number
  maxLat: number
}

export interface Celula {
  /** Null for the rest: cases without a place, and those of cells too small to be shown. */
  ponto: Ponto | null
  municipio: string | null
  codigo_ibge: string | null
  estado: string | null
  bairro: string | null
  /** Whole, or its first five digits for those who may not identify patients. */
  cep: string | null
  casos: number
}

/** Cells with their number of cases; without `bounds` their sum is the number of cases of the filter. */
export async function heatMap(
  app: Pick<App, 'db' | 'municipios' | 'clock' | 'cipher' | 'auditoria'>,
  caller: Caller,
  { filter, nivel: asked, periodo, bounds }: Pedido,
): Promise<Celula[]> {
  const identifies = holds(caller, 'agravos.identificar')
  const nivel = asked === 'cep' && !identifies ? 'setor' : asked
  const minimum = asked === 'municipio' || identifies ? 1 : MINIMUM_CELL
  const period = withPeriod(filter, periodo, app.clock)
  const rows = await countCells(app.db, nivel, consultaOf(period, app.municipios))
  const isPlaced = (row: CelulaRow) => row.chave !== null && row.municipio !== null && row.casos >= minimum
  const placed = rows.filter(isPlaced)
  if (asked !== 'municipio' && placed.some(({ casos }) => casos < MINIMUM_CELL))
    await recordIdentifiedRead(app, caller, null, { mapa: asked })
  const rest = rows.reduce((sum, row) => sum + (isPlaced(row) ? 0 : row.casos), 0)
  const ceps = nivel === 'cep' ? await openCeps(app, placed) : new Map<number, string | null>()
  const middles = nivel === 'municipio' ? new Map() : await middlesOf(app, nivel, placed, minimum)
  const cells = placed.map((row) =>
    toCelula(app, row, ceps.get(row.exemplo ?? 0) ?? row.setor, middles.get(row.chave)),
  )
  if (bounds !== null) return cells.filter(({ ponto }) => ponto !== null && isWithin(ponto, bounds))
  return rest === 0 ? cells : [...cells, { ...NOWHERE, casos: rest }]
}

interface Ponto {
  latitude: number
  longitude: number
}

async function middlesOf(
  { db }: Pick<App, 'db'>,
  nivel: Abaixo,
  cells: CelulaRow[],
  minimum: number,
): Promise<Map<string, Ponto>> {
  const chaves = cells.flatMap(({ chave }) => chave ?? [])
  const rows = await listMiddles(db, nivel, chaves, minimum)
  return new Map(rows.map(({ chave, latitude, longitude }) => [chave, { latitude, longitude }]))
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

/** A postal code is only in the sealed part; one case of each cell is opened for it. */
async function openCeps(
  { db, cipher }: Pick<App, 'db' | 'cipher'>,
  cells: CelulaRow[],
): Promise<Map<number, string | null>> {
  const sealed = await listLacrados(
    db,
    cells.flatMap(({ exemplo }) => exemplo ?? []),
  )
  return new Map(sealed.map((row) => [row.id, unseal(cipher, row).cep_residencia]))
}

/** A cell whose middle is not known stands at the centre of its municipality. */
function toCelula(
  { municipios }: Pick<App, 'municipios'>,
  row: CelulaRow,
  cep: string | null,
  middle: Ponto | undefined,
): Celula {
  const municipio = municipios.byCodigo(row.municipio ?? 0)
  const ponto = middle ?? municipio
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

/** About ten metres; `bounds` are compared with the point as it is shown. */
const rounded = (degrees: number) => Math.round(degrees * 10_000) / 10_000

function isWithin(ponto: NonNullable<Celula['ponto']>, { minLon, minLat, maxLon, maxLat }: Bounds): boolean {
  const { latitude, longitude } = ponto
  return latitude >= minLat && latitude <= maxLat && longitude >= minLon && longitude <= maxLon
}
