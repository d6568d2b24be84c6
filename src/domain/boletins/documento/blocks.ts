import type { NivelDeAlerta } from '../../alertas/nivel.ts'
import type { Drawing, LegendEntry } from './drawing.ts'

/** A document as blocks, in reading order: what HTML and PDF have in common. All texts are plain; each form escapes them its own way. */
export interface BulletinDocument {
  title: string
  /** Above a title of one's own; the made one says it itself. */
  kind: string | null
  lugar: string
  semana: string
  dadosAte: string
  /** Null: nothing is suppressed. */
  publico: string | null
  methods: string[]
  highlights: { title: string; items: string[] } | null
  note: { title: string; text: string } | null
  figures: { label: string; boxes: FigureBox[] }
  blocks: DocumentBlock[]
}

/** Headline figures of a disease; it is named where there are several. */
export interface FigureBox {
  title: string | null
  figures: HeadlineFigure[]
}

export interface HeadlineFigure {
  label: string
  value: string
  notes: string[]
  nivel: NivelDeAlerta | null
}

export type DocumentBlock =
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'chart'; chart: Chart }
  | { kind: 'table'; table: DataTable }

export interface Chart {
  caption: string
  /** Read instead of the drawing. */
  alt: string
  draw(width: number): Drawing
  legend: LegendEntry[]
  /** The same numbers as text. */
  table: DataTable
}

export interface DataTable {
  caption: string
  /** The first column names the row. */
  columns: string[]
  rows: TableCell[][]
  /** Long and narrow: two parts side by side on paper. */
  isLong: boolean
}

export interface TableCell {
  text: string
  /** Number: to the right. */
  isNumber: boolean
  nivel: NivelDeAlerta | null
}

export const heading = (level: 2 | 3, text: string): DocumentBlock => ({ kind: 'heading', level, text })
export const paragraph = (...sentences: (string | null)[]): DocumentBlock => ({
  kind: 'paragraph',
  text: sentences.filter((one) => one !== null && one !== '').join(' '),
})
export const words = (text: string): TableCell => ({ text, isNumber: false, nivel: null })
export const figure = (text: string): TableCell => ({ text, isNumber: true, nivel: null })
export const levelCell = (text: string, nivel: NivelDeAlerta): TableCell => ({
  text,
  isNumber: false,
  nivel,
})
