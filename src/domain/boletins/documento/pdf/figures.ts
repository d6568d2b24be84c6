import { symbolPath } from '../../../../charts/symbols.ts'
import type { FigureBox, HeadlineFigure } from '../blocks.ts'
import { INK, NIVEL_LOOK } from '../drawing.ts'
import { CONTENT, PAGE, STYLES, type StructureElement, type TextStyle, type Writer } from './writer.ts'

const COLUMNS = 3
const PAD = 10
const LABEL: TextStyle = { size: 8.5, line: 12, fill: INK.soft }
const VALUE: TextStyle = { size: 18, line: 24, bold: true, isNumber: true }
const LEVEL: TextStyle = { size: 15, line: 21, bold: true }
const SIGN = 15
const GROUND = '#f7f6f2'

/** Box of headline figures: the level over the whole width, the others in rows of three. A list for readers aloud. */
export function writeFigures(writer: Writer, parent: StructureElement, { title, figures }: FigureBox): void {
  const rows = rowsOf(figures).map((row) => ({ row, height: rowHeight(writer, row) }))
  const height = rows.reduce((sum, one) => sum + one.height, 0)
  writer.need(height + (title === null ? 0 : STYLES.h3.line) + 6)
  if (title !== null) writer.text(parent, 'P', title, STYLES.h3)
  writer.y += title === null ? 0 : 3
  const list = writer.element(parent, 'L')
  const top = writer.y
  for (const { row, height } of rows) {
    const width = CONTENT / row.length
    const isLast = row === rows.at(-1)?.row
    writer.artifact(() => drawGrid(writer, row, height, width, isLast))
    for (const [i, figure] of row.entries()) writeFigure(writer, list, figure, PAGE.left + i * width, width)
    writer.y += height
  }
  writer.artifact(() =>
    writer.doc.lineWidth(0.8).roundedRect(PAGE.left, top, CONTENT, height, 5).stroke('#c9c6ba'),
  )
  list.end()
  writer.y += 16
}

function rowsOf(figures: readonly HeadlineFigure[]): HeadlineFigure[][] {
  const levels = figures.filter(({ nivel }) => nivel !== null).map((figure) => [figure])
  const others = figures.filter(({ nivel }) => nivel === null)
  const rows = Array.from({ length: Math.ceil(others.length / COLUMNS) }, (_, i) =>
    others.slice(i * COLUMNS, (i + 1) * COLUMNS),
  )
  return [...levels, ...rows]
}

const valueStyle = ({ nivel }: HeadlineFigure) => (nivel === null ? VALUE : LEVEL)
const notesOf = (writer: Writer, { notes }: HeadlineFigure, width: number) =>
  notes.flatMap((note) => writer.wrap(note, LABEL, width - 2 * PAD))

const rowHeight = (writer: Writer, row: readonly HeadlineFigure[]) =>
  Math.max(
    ...row.map(
      (figure) =>
        LABEL.line +
        valueStyle(figure).line +
        notesOf(writer, figure, CONTENT / row.length).length * LABEL.line,
    ),
  ) +
  2 * PAD -
  4

function drawGrid(
  writer: Writer,
  row: readonly HeadlineFigure[],
  height: number,
  width: number,
  isLast: boolean,
): void {
  const { doc, y } = writer
  if (row[0]?.nivel !== null) doc.rect(PAGE.left, y, CONTENT, height).fill(GROUND)
  doc.lineWidth(0.5)
  for (let i = 1; i < row.length; i++)
    doc
      .moveTo(PAGE.left + i * width, y)
      .lineTo(PAGE.left + i * width, y + height)
      .stroke(INK.axis)
  if (isLast) return
  doc
    .moveTo(PAGE.left, y + height)
    .lineTo(PAGE.left + CONTENT, y + height)
    .stroke(INK.axis)
}

function writeFigure(
  writer: Writer,
  list: StructureElement,
  figure: HeadlineFigure,
  left: number,
  width: number,
): void {
  const item = writer.element(list, 'LI')
  const body = writer.element(item, 'LBody')
  const x = left + PAD
  const style = valueStyle(figure)
  let y = writer.y + PAD - 2
  writer.inside(body, 'LBody', () => {
    writer.line(`${figure.label} `, LABEL, x, y)
    y += LABEL.line
    if (figure.nivel !== null) drawSign(writer, figure.nivel, x, y, style)
    writer.line(`${figure.value} `, style, figure.nivel === null ? x : x + SIGN + 6, y)
    y += style.line
    for (const note of notesOf(writer, figure, width)) {
      writer.line(`${note} `, LABEL, x, y)
      y += LABEL.line
    }
  })
  body.end()
  item.end()
}

function drawSign(
  writer: Writer,
  nivel: NonNullable<HeadlineFigure['nivel']>,
  x: number,
  y: number,
  style: TextStyle,
) {
  const { fill, symbol } = NIVEL_LOOK[nivel]
  writer.doc
    .lineWidth(0.8)
    .path(symbolPath(symbol, [x + SIGN / 2, y + style.line / 2], SIGN * 0.38))
    .fillAndStroke(fill, INK.text)
}
