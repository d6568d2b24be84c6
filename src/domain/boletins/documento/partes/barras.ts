import { max } from 'd3-array'
import { rectPath } from '../../../../charts/symbols.ts'
import { label } from '../axes.ts'
import { type DocumentBlock, figure, words } from '../blocks.ts'
import { area, type Drawing, INK, isNarrow } from '../drawing.ts'

export interface NamedBar {
  name: string
  /** Null: hidden or not known; the text says which. */
  value: number | null
  text: string
}

interface BarsPart {
  caption: string
  bars: readonly NamedBar[]
  columns: [string, string]
  isLong: boolean
}

const ROW_PX = 26
/** Letters of a name that fit the room left of the bars. */
const MOST_LETTERS = { narrow: 18, wide: 34 }
/** More rows are in the table alone. */
const MOST_BARS = 20

/** Named bars to the right, each with its number; the table alone where no number is shown. */
export function barsBlock({ caption, bars, columns, isLong }: BarsPart): DocumentBlock {
  const drawn = bars.slice(0, MOST_BARS)
  const table = { caption, columns, rows: bars.map(({ name, text }) => [words(name), figure(text)]), isLong }
  if (bars.every(({ value }) => value === null)) return { kind: 'table', table }
  const chart = {
    caption,
    alt: `${caption}: ${drawn.map(({ name, text }) => `${name}, ${text}`).join('; ')}.`,
    draw: (width: number) => drawBars(drawn, width),
    legend: [],
    table,
  }
  return { kind: 'chart', chart }
}

function drawBars(bars: readonly NamedBar[], width: number): Drawing {
  const narrow = isNarrow(width)
  const letters = narrow ? MOST_LETTERS.narrow : MOST_LETTERS.wide
  const longest = Math.min(letters, max(bars, ({ name }) => name.length) ?? 0)
  const left = Math.max(60, longest * 6.8 + 12)
  const most = max(bars, ({ value }) => value ?? 0) || 1
  const room = width - left - 84
  return {
    width,
    height: bars.length * ROW_PX + 6,
    shapes: bars.flatMap(({ name, value, text }, i) => {
      const top = i * ROW_PX + 4
      const length = (room * (value ?? 0)) / most
      return [
        label(shortened(name, letters), left - 10, top + 14, 'end', { fill: INK.text }),
        ...(length > 0 ? [area(rectPath(left, top, length, ROW_PX - 8), INK.now)] : []),
        label(text, left + length + 8, top + 14, 'start', { fill: INK.text }),
      ]
    }),
  }
}

const shortened = (name: string, letters: number) =>
  name.length <= letters ? name : `${name.slice(0, letters - 1).trimEnd()}…`
