import type { Sign } from '../../../charts/symbols.ts'
import type { NivelDeAlerta } from '../../alertas/nivel.ts'

/** Shapes of a drawing, first to last from the back to the front. The HTML puts them into SVG, the PDF draws the same paths. */
export type Shape = PathShape | TextShape

export interface PathShape {
  kind: 'path'
  d: string
  fill?: string
  stroke?: string
  width?: number
  dash?: readonly number[]
  /** Shown when the pointer rests on it. */
  title?: string
}

export interface TextShape {
  kind: 'text'
  x: number
  y: number
  text: string
  anchor: 'start' | 'middle' | 'end'
  size: number
  fill: string
  bold?: boolean
}

export interface Drawing {
  width: number
  height: number
  shapes: Shape[]
}

/** Entry of a legend: a sample of what is drawn, in a box of its own, and its name. */
export interface LegendEntry {
  label: string
  sample: PathShape[]
}

/** Box of a sample. */
export const SAMPLE = { width: 26, height: 12 } as const

/** Colours on white. All texts have a contrast of 4.5, all lines one of 3. */
export const INK = {
  text: '#14252b',
  soft: '#4b5d63',
  axis: '#d9d6cb',
  now: '#0b6577',
  before: '#9a5b00',
  older: '#68727a',
  band: '#cfe3e6',
  expected: '#e9e6da',
  limit: '#b23a1e',
} as const

/** Fill, sign on the fill, and sign beside a word; lightness falls with the level. */
export const NIVEL_LOOK: Record<NivelDeAlerta, { fill: string; sign: string; symbol: Sign }> = {
  verde: { fill: '#dcebdf', sign: '#1d6b45', symbol: 'circle' },
  amarelo: { fill: '#f3d771', sign: '#5f4200', symbol: 'triangle' },
  laranja: { fill: '#e39a4f', sign: '#4d2600', symbol: 'diamond' },
  vermelho: { fill: '#b23a1e', sign: '#ffffff', symbol: 'square' },
}

/** Least width and height of a drawing on a telephone, and those on paper. */
export const NARROW = 320
export const WIDE = 720
export const isNarrow = (width: number): boolean => width < 500

export const line = (d: string, stroke: string, width: number, dash?: readonly number[]): PathShape => ({
  kind: 'path',
  d,
  stroke,
  width,
  ...(dash && { dash }),
})

export const area = (d: string, fill: string): PathShape => ({ kind: 'path', d, fill })
