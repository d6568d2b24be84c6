import { toPlane } from '../../../../src/charts/plane.ts'
import type { AnswerOf } from '../../api/rows.ts'
import type { Bubble } from '../../map/draw.ts'

export type MapaDeBairros = AnswerOf<'GET', '/api/v1/agravos/casos/mapa-calor'>

export interface Bairro {
  nome: string
  casos: number
}

/** Neighbourhoods that stand at one point: without coordinates of their own, that is the seat of the municipality. */
export interface Spot extends Bubble {
  casos: number
  bairros: Bairro[]
}

const LEAST_PX = 5
const MOST_PX = 26

/** Cells of the answer by their points; what it withholds (few cases) or cannot place is the rest. The area of a bubble follows its number. */
export function spotsOf({ features }: MapaDeBairros): { spots: Spot[]; bairros: Bairro[]; rest: number } {
  const placed = features.flatMap(({ geometry, properties: { bairro, casos } }) =>
    geometry === null || bairro === null ? [] : [{ nome: bairro, casos, at: geometry.coordinates }],
  )
  const shown = placed.reduce((sum, { casos }) => sum + casos, 0)
  const all = features.reduce((sum, { properties: { casos } }) => sum + casos, 0)
  const points = [...Map.groupBy(placed, ({ at }) => at.join(' ')).values()].map((bairros) => ({
    casos: bairros.reduce((sum, { casos }) => sum + casos, 0),
    bairros: bairros.map(({ nome, casos }) => ({ nome, casos })),
    at: bairros[0]?.at as number[],
  }))
  const most = Math.max(1, ...points.map(({ casos }) => casos))
  const spots = points
    .toSorted((one, other) => other.casos - one.casos)
    .map(
      ({ at: [longitude, latitude], casos, bairros }, i): Spot => ({
        id: `bairro-${i}`,
        at: toPlane(longitude as number, latitude as number),
        radius: Math.max(LEAST_PX, MOST_PX * Math.sqrt(casos / most)),
        casos,
        bairros,
      }),
    )
  return { spots, bairros: placed.map(({ nome, casos }) => ({ nome, casos })), rest: all - shown }
}
