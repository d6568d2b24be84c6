import { addDays, dateInBrazil } from '../../brasil/calendar.ts'
import type { Municipio } from '../../brasil/municipios.ts'
import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import { lugarOf } from '../territorios/lugar.ts'
import { epizootiaColumns, inside } from './filtros.sql.ts'
import { mayLocate, seenBy } from './leitura.ts'
import {
  type Celula,
  countByMunicipio,
  countMarcas,
  listMarcas,
  listRecentes,
  type Marca,
} from './mapa.sql.ts'

export type { Celula, Marca } from './mapa.sql.ts'

/** Events on a map, and around a place. */

type Needs = Pick<App, 'db' | 'municipios' | 'territorios' | 'clock'>

export const NIVEIS_DO_MAPA = ['municipio', 'ponto'] as const

export interface MarcaNoMapa extends Marca {
  /** True where the spot is that of the event, false where it is the seat of the municipality. */
  exata: boolean
}

export type MapaDeEpizootias =
  | { nivel: 'municipio'; celulas: Celula[]; total: number }
  | { nivel: 'ponto'; marcas: MarcaNoMapa[]; total: number }

export const MOST_MARKS = 10_000

export async function mapaDeEpizootias(
  { db, municipios }: Needs,
  caller: Caller,
  { filter, nivel }: { filter: Filter; nivel: (typeof NIVEIS_DO_MAPA)[number] },
): Promise<MapaDeEpizootias> {
  const selecao = { filter, columns: epizootiaColumns(municipios), only: inside(caller.territorio) }
  if (nivel === 'municipio') {
    const celulas = await countByMunicipio(db, selecao)
    return { nivel, celulas, total: celulas.reduce((sum, { eventos }) => sum + eventos, 0) }
  }
  const [marcas, total] = await Promise.all([listMarcas(db, selecao, MOST_MARKS), countMarcas(db, selecao)])
  const isExact = mayLocate(caller)
  return {
    nivel,
    total,
    marcas: marcas.map((marca) => {
      if (marca.latitude !== null) return { ...seenBy(caller, marca), exata: isExact }
      const { latitude, longitude } = municipios.byCodigo(marca.municipio) as Municipio
      return { ...marca, latitude, longitude, exata: false }
    }),
  }
}

export interface Proxima extends Marca {
  /** Between the seats of the municipalities. */
  distancia_km: number
}

export interface ProximasPedidas {
  municipio: string
  estado?: LugarDoPedido['estado']
  suspeita?: string | undefined
  semanas: number
  raio_km: number
}
type LugarDoPedido = Parameters<typeof lugarOf>[1]

export const MOST_NEAR = 200

export async function proximas(
  app: Needs,
  caller: Caller,
  { municipio: nome, estado, suspeita, semanas, raio_km }: ProximasPedidas,
): Promise<{ centro: Municipio; desde: string; items: Proxima[] }> {
  const [centro] = lugarOf(app, { municipio: nome, estado }).municipios
  if (centro === undefined) throw invalid('query', ['municipio'], 'UNKNOWN_MUNICIPIO', {})
  const near = new Map(
    app.municipios.all
      .map((one) => [one.codigo, distanceOf(centro, one)] as const)
      .filter(([, distance]) => distance <= raio_km),
  )
  const desde = addDays(dateInBrazil(app.clock.now()), -7 * semanas)
  const asked = { municipios: [...near.keys()], suspeita: suspeita ?? null, desde }
  const rows = await listRecentes(app.db, asked, { only: inside(caller.territorio), atMost: MOST_NEAR })
  const items = rows.map((row) => ({
    ...seenBy(caller, row),
    distancia_km: Math.round(10 * (near.get(row.municipio) as number)) / 10,
  }))
  return { centro, desde, items }
}

const EARTH_KM = 6_371.0088

type Spot = { latitude: number; longitude: number }

/** Great circle, by the haversine formula. */
export function distanceOf(a: Spot, b: Spot): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const [dLat, dLon] = [rad(b.latitude - a.latitude), rad(b.longitude - a.longitude)]
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}
