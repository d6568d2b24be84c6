import type { Municipios } from '../../brasil/municipios.ts'
import { CLASSIFICACOES_DE_EPIZOOTIA, ESPECIE_GRUPOS } from '../../domain/epizootias/campos.ts'
import { AGREGACOES, GRUPOS } from '../../domain/epizootias/contagens.ts'
import type { Estatisticas } from '../../domain/epizootias/estatisticas.ts'
import {
  type MapaDeEpizootias,
  type Marca,
  MOST_MARKS,
  MOST_NEAR,
  NIVEIS_DO_MAPA,
  type Proxima,
} from '../../domain/epizootias/mapa.ts'
import { described, Id, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { CodigoDeValor } from './epizootias.shapes.ts'
import { FormatoQuery } from './tabela-csv.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

/** Numbers of events: by time, on a map, around a place. */

export const RecorteQuery = {
  suspeita: Type.Optional(CodigoDeValor('Só desta suspeita')),
  especie_grupo: Type.Optional(OneOf(ESPECIE_GRUPOS)),
  classificacao: Type.Optional(OneOf(CLASSIFICACOES_DE_EPIZOOTIA)),
}

export const EstatisticasDeEpizootiasQuery = Type.Object(
  {
    ...LugarQuery,
    ...RecorteQuery,
    agregacao: OneOf(AGREGACOES, { default: 'semana' }),
    agrupar_por: Type.Optional(OneOf(GRUPOS)),
    inicio: Type.Optional(Type.String({ format: 'date' })),
    fim: Type.Optional(Type.String({ format: 'date' })),
    ...FormatoQuery,
  },
  { additionalProperties: false },
)

export const numeros = { eventos: Type.Integer(), animais_mortos: Type.Integer() }

export const EstatisticasDeEpizootias = Type.Object(
  {
    lugar: LugarResposta,
    parcial: Type.Boolean({ description: 'Parte do lugar está fora do território da conta' }),
    agregacao: OneOf(AGREGACOES),
    agrupar_por: Nullable(OneOf(GRUPOS)),
    ...numeros,
    sem_data: described(
      'Eventos sem lugar nos períodos: só o mês, ou só o ano, é conhecido',
      Type.Object({ mes: Type.Integer(), ano: Type.Integer() }),
    ),
    periodos: Type.Array(
      Type.Object({
        periodo: Type.String({ description: '`AAAASS`, `AAAA-MM` ou `AAAA`' }),
        inicio: Type.String({ format: 'date' }),
        grupo: Nullable(Type.String()),
        ...numeros,
      }),
      { description: 'Só os que têm eventos' },
    ),
    grupos: Type.Array(Type.Object({ valor: Type.String(), ...numeros })),
  },
  { title: 'EstatisticasDeEpizootias' },
)

export const COLUNAS_DE_PERIODOS = ['periodo', 'inicio', 'grupo', 'eventos', 'animais_mortos']

export function toEstatisticas(
  { agregacao, agrupar_por }: Static<typeof EstatisticasDeEpizootiasQuery>,
  { lugar, ...rest }: Estatisticas,
): Static<typeof EstatisticasDeEpizootias> {
  return { ...rest, lugar: toLugar(lugar), agregacao, agrupar_por: agrupar_por ?? null }
}

export const MapaDeEpizootiasQuery = Type.Object({
  nivel: OneOf(NIVEIS_DO_MAPA, {
    default: 'municipio',
    description: `\`ponto\`: cada evento, os ${MOST_MARKS.toLocaleString('pt-BR')} mais novos; sem coordenadas, na sede do município`,
  }),
})

const Maybe = Nullable(Type.String())
export const MapaResposta = Type.Object(
  {
    type: OneOf(['FeatureCollection']),
    features: Type.Array(
      Type.Object(
        {
          type: OneOf(['Feature']),
          geometry: Type.Object({ type: OneOf(['Point']), coordinates: Type.Array(Type.Number()) }),
          properties: Type.Object({
            municipio: Type.String(),
            codigo_ibge: Type.String(),
            estado: Type.String(),
            animais_mortos: Nullable(Type.Integer()),
            eventos: Type.Optional(Type.Integer()),
            confirmadas: Type.Optional(Type.Integer()),
            ultima: Type.Optional(Maybe),
            id: Type.Optional(Id),
            data_ocorrencia: Type.Optional(Maybe),
            ano_ocorrencia: Type.Optional(Type.Integer()),
            especie_grupo: Type.Optional(Type.String()),
            suspeita: Type.Optional(Type.String()),
            classificacao: Type.Optional(Type.String()),
            exata: Type.Optional(
              Type.Boolean({ description: 'O lugar é o do evento, não a sede nem arredondado' }),
            ),
          }),
        },
        { title: 'EpizootiaNoMapa' },
      ),
    ),
    metadata: Type.Object({ nivel: OneOf(NIVEIS_DO_MAPA), total_eventos: Type.Integer() }),
  },
  { title: 'MapaDeEpizootias' },
)

function placeOf(municipios: Municipios, codigo: number) {
  const found = municipios.byCodigo(codigo)
  return {
    municipio: found?.nome ?? String(codigo),
    codigo_ibge: String(codigo),
    estado: found?.uf ?? '',
  }
}

const feature = (
  longitude: number,
  latitude: number,
  properties: Static<typeof MapaResposta>['features'][number]['properties'],
) => ({
  type: 'Feature' as const,
  geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  properties,
})

export function toMapaDeEpizootias(
  mapa: MapaDeEpizootias,
  municipios: Municipios,
): Static<typeof MapaResposta> {
  const features =
    mapa.nivel === 'municipio'
      ? mapa.celulas.map(({ municipio, ...celula }) => {
          const seat = municipios.byCodigo(municipio)
          const place = placeOf(municipios, municipio)
          return feature(seat?.longitude ?? 0, seat?.latitude ?? 0, { ...place, ...celula })
        })
      : mapa.marcas.map((marca) => {
          const { latitude, longitude } = marca as { latitude: number; longitude: number }
          return feature(longitude, latitude, { ...toMarca(marca, municipios), exata: marca.exata })
        })
  return {
    type: 'FeatureCollection',
    features,
    metadata: { nivel: mapa.nivel, total_eventos: mapa.total },
  }
}

function toMarca(marca: Marca, municipios: Municipios) {
  const { id, data_ocorrencia, ano_ocorrencia, especie_grupo, suspeita, classificacao, animais_mortos } =
    marca
  return {
    ...{ id, data_ocorrencia, ano_ocorrencia, especie_grupo, suspeita, classificacao, animais_mortos },
    ...placeOf(municipios, marca.municipio),
  }
}

export const ProximasQuery = Type.Object(
  {
    municipio: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\u0000\\ud800-\\udfff]*$',
      'x-format': 'text',
      description: 'Código IBGE, de seis ou sete dígitos, ou nome, com `estado` onde há homônimos',
      examples: ['2611606'],
    }),
    estado: LugarQuery.estado,
    suspeita: RecorteQuery.suspeita,
    semanas: Type.Integer({ minimum: 1, maximum: 520, default: 8 }),
    raio_km: Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Entre as sedes' }),
  },
  { additionalProperties: false },
)

export const ProximasResposta = Type.Object(
  {
    municipio: Type.String(),
    codigo_ibge: Type.String(),
    estado: Type.String(),
    desde: Type.String({ format: 'date' }),
    items: Type.Array(
      Type.Object({
        id: Id,
        data_ocorrencia: Nullable(Type.String({ format: 'date' })),
        ano_ocorrencia: Type.Integer(),
        municipio: Type.String(),
        codigo_ibge: Type.String(),
        estado: Type.String(),
        especie_grupo: Type.String(),
        suspeita: Type.String(),
        classificacao: Type.String(),
        animais_mortos: Nullable(Type.Integer()),
        distancia_km: Type.Number(),
      }),
      { description: `Os mais novos primeiro, até ${MOST_NEAR}` },
    ),
  },
  { title: 'EpizootiasProximas' },
)

export const toProximas = (
  { centro, desde, items }: { centro: { codigo: number }; desde: string; items: Proxima[] },
  municipios: Municipios,
): Static<typeof ProximasResposta> => ({
  ...placeOf(municipios, centro.codigo),
  desde,
  items: items.map((one) => ({ ...toMarca(one, municipios), distancia_km: one.distancia_km })),
})
