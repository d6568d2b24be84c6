import { CLASSIFICACOES_DE_EPIZOOTIA } from '../../../src/domain/epizootias/campos.ts'
import type { Classificacao } from '../state/epizootias.ts'
import { word } from '../state/epizootias.ts'

/** Shapes that tell the classification of an event, on the map and beside its name. */

type Corner = readonly [x: number, y: number]

/** Corners of each shape in a circle of 1; a circle has none. */
export const SHAPES: Record<Classificacao, readonly Corner[]> = {
  em_investigacao: [],
  confirmada: [
    [0, -1.1],
    [1, 0.8],
    [-1, 0.8],
  ],
  indeterminada: [
    [-0.85, -0.85],
    [0.85, -0.85],
    [0.85, 0.85],
    [-0.85, 0.85],
  ],
  descartada: [
    ...([
      [-0.9, -0.5],
      [-0.5, -0.9],
      [0, -0.4],
      [0.5, -0.9],
      [0.9, -0.5],
      [0.4, 0],
    ] as const),
    ...([
      [0.9, 0.5],
      [0.5, 0.9],
      [0, 0.4],
      [-0.5, 0.9],
      [-0.9, 0.5],
      [-0.4, 0],
    ] as const),
  ],
}

const isClassificacao = (value: string): value is Classificacao =>
  CLASSIFICACOES_DE_EPIZOOTIA.some((one) => one === value)

export function ClassMark({ classificacao }: { classificacao: string }) {
  const corners = isClassificacao(classificacao) ? SHAPES[classificacao] : []
  return (
    <svg class={`class-mark ${classificacao}`} viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">
      {corners.length === 0 ? (
        <circle r="0.95" />
      ) : (
        <polygon points={corners.map((at) => at.join(',')).join(' ')} />
      )}
    </svg>
  )
}

/** Shape and word together: neither shape nor colour speaks alone. */
export function ClassTag({ classificacao }: { classificacao: string }) {
  return (
    <span class="class-tag">
      <ClassMark classificacao={classificacao} />
      {word(classificacao)}
    </span>
  )
}
