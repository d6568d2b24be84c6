import { toPlane } from '../../../../src/charts/plane.ts'
import { CLASSIFICACOES_DE_EPIZOOTIA } from '../../../../src/domain/epizootias/campos.ts'
import type { AnswerOf } from '../../api/rows.ts'
import type { TableData } from '../../charts/table-data.ts'
import type { Bubble } from '../../map/draw.ts'
import { type Classificacao, word } from '../../state/epizootias.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { SHAPES } from '../../ui/epizootia-marks.tsx'
import { type EpizootiaFilters, epizootiasPath } from './address.ts'

export type Mapa = AnswerOf<'GET', '/api/v1/epizootias/mapa'>
type Feature = Mapa['features'][number]

/** Events of one classification at one point: without coordinates of their own, that is the seat of the municipality. */
export interface Spot extends Bubble {
  classificacao: Classificacao
  municipio: { codigo: string; nome: string; estado: string }
  events: number[]
}

const LEAST_PX = 5
const MOST_PX = 18

/** Marks of the map, the largest first so that smaller ones lie over them. */
export function spotsOf({ features }: Mapa): Spot[] {
  const groups = Map.groupBy(
    features,
    ({ geometry, properties }) => `${geometry.coordinates.join(' ')} ${properties.classificacao}`,
  )
  const most = Math.max(1, ...[...groups.values()].map(({ length }) => length))
  return [...groups.values()]
    .toSorted((one, other) => other.length - one.length)
    .map((group, i): Spot => {
      const { geometry, properties } = group[0] as Feature
      const [longitude = 0, latitude = 0] = geometry.coordinates
      const classificacao = properties.classificacao as Classificacao
      return {
        id: `marca-${i}`,
        at: toPlane(longitude, latitude),
        radius: Math.max(LEAST_PX, MOST_PX * Math.sqrt(group.length / most) * (most < 10 ? 0.5 : 1)),
        corners: SHAPES[classificacao],
        classificacao,
        municipio: {
          codigo: properties.codigo_ibge,
          nome: properties.municipio,
          estado: properties.estado,
        },
        events: group.flatMap(({ properties: { id } }) => id ?? []),
      }
    })
}

/** Events by municipality and classification; each number leads to its events. */
export function tableOf({ features }: Mapa, filters: EpizootiaFilters): TableData {
  const t = epizootiasTexts()
  const groups = [...Map.groupBy(features, ({ properties }) => properties.codigo_ibge)]
  const rows = groups
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([municipio, group]): TableData['rows'][number] => {
      const { properties } = group[0] as Feature
      const place = { ...filters, uf: null, regiao: null, municipio }
      const dead = group.reduce((sum, one) => sum + (one.properties.animais_mortos ?? 0), 0)
      return [
        `${properties.municipio} (${properties.estado})`,
        ...CLASSIFICACOES_DE_EPIZOOTIA.map((classificacao) => {
          const count = group.filter((one) => one.properties.classificacao === classificacao).length
          const href = epizootiasPath({ filters: { ...place, classificacao } })
          return { text: t.number(count), ...(count > 0 && { href }) }
        }),
        { text: t.number(group.length), href: epizootiasPath({ filters: place }) },
        { text: t.number(dead) },
      ]
    })
  return {
    name: 'epizootias',
    columns: [t.list.place, ...CLASSIFICACOES_DE_EPIZOOTIA.map((one) => word(one)), t.map.total, t.map.dead],
    rows,
  }
}
