import { type MapBounds, type MapCell, type MapRequest, NIVEIS } from '../../domain/casos/statistics/mapa.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { Filter } from '../../filter.ts'
import { Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Identificado } from './identificado.shapes.ts'

export const MapaQuery = Type.Object({
  nivel: OneOf(NIVEIS, {
    default: 'municipio',
    description:
      'Em `cep`, sem `identificado`: setores de cinco dígitos, em passos de cinco casos por agravo e mês; só os filtros de agravo, lugar e período, este em meses inteiros',
  }),
  identificado: Identificado,
  periodo: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 36_500, description: 'Só os últimos tantos dias, hoje incluído' }),
  ),
  bounds: Type.Optional(
    Type.String({ description: '`minLon,minLat,maxLon,maxLat`', examples: ['-36,-9,-34,-7'] }),
  ),
})

const NullableText = Nullable(Type.String())

const Ponto = Type.Object(
  {
    type: OneOf(['Feature']),
    geometry: Nullable(
      Type.Object(
        { type: OneOf(['Point']), coordinates: Type.Array(Type.Number()) },
        {
          description:
            'Nula no resto: casos sem lugar e os de lugares com casos de menos para serem mostrados',
        },
      ),
    ),
    properties: Type.Object({
      municipio: NullableText,
      codigo_ibge: NullableText,
      estado: NullableText,
      bairro: NullableText,
      cep: Nullable(
        Type.String({
          description: 'Inteiro só com `identificado=true`; senão os cinco primeiros dígitos',
        }),
      ),
      casos: Type.Integer(),
      intensidade: Type.Number({ description: 'De 0 a 1: parte do ponto com mais casos' }),
      radius: Type.Integer({ description: 'Raio sugerido, em pixels' }),
    }),
  },
  { title: 'PontoDoMapa' },
)

export const MapaDeCalor = Type.Object(
  {
    type: OneOf(['FeatureCollection']),
    features: Type.Array(Ponto),
    metadata: Type.Object({
      total_pontos: Type.Integer(),
      total_casos: Type.Integer(),
      max_casos: Type.Integer(),
      min_casos: Type.Integer(),
      periodo: Nullable(Type.Integer({ description: 'Em dias, como pedido' })),
    }),
  },
  { title: 'MapaDeCalor' },
)

type Query = Static<typeof MapaQuery>

export function fromMapa(query: Query, filter: Filter): MapRequest {
  const { nivel, identificado, periodo = null, bounds } = query
  return { filter, nivel, identificado, periodo, bounds: bounds === undefined ? null : fromBounds(bounds) }
}

function fromBounds(text: string): MapBounds {
  const numbers = text
    .split(',')
    .map((part) => (/^\s*-?\d{1,3}(\.\d{1,12})?\s*$/.test(part) ? Number(part) : Number.NaN))
  const [minLon = Number.NaN, minLat = Number.NaN, maxLon = Number.NaN, maxLat = Number.NaN] = numbers
  const ordered =
    minLon >= -180 && minLon <= maxLon && maxLon <= 180 && minLat >= -90 && minLat <= maxLat && maxLat <= 90
  if (numbers.length !== 4 || !ordered)
    throw invalid('query', ['bounds'], 'INVALID_FORMAT', { expected: 'bounds' })
  return { minLon, minLat, maxLon, maxLat }
}

export function toMapa(cells: MapCell[], periodo: number | null): Static<typeof MapaDeCalor> {
  const counts = cells.filter(({ ponto }) => ponto !== null).map(({ casos }) => casos)
  const max = counts.reduce((most, casos) => Math.max(most, casos), 0)
  return {
    type: 'FeatureCollection',
    features: cells.map((cell) => toPonto(cell, max)),
    metadata: {
      total_pontos: counts.length,
      total_casos: cells.reduce((sum, { casos }) => sum + casos, 0),
      max_casos: max,
      min_casos: counts.reduce((least, casos) => Math.min(least, casos), max),
      periodo,
    },
  }
}

const MIN_RADIUS = 6
const MAX_RADIUS = 30

function toPonto({ ponto, casos, ...place }: MapCell, max: number): Static<typeof Ponto> {
  const { municipio, codigo_ibge, estado, bairro, cep } = place
  const share = ponto === null || max === 0 ? 0 : casos / max
  const point = ponto && {
    type: 'Point' as const,
    coordinates: [ponto.longitude, ponto.latitude],
  }
  return {
    type: 'Feature',
    geometry: point,
    properties: {
      municipio,
      codigo_ibge,
      estado,
      bairro,
      cep: cep && (cep.length === 8 ? `${cep.slice(0, 5)}-${cep.slice(5)}` : cep),
      casos,
      intensidade: Math.round(share * 10_000) / 10_000,
      // The area, not the radius, follows the number of cases.
      radius: Math.round(MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(share)),
    },
  }
}
