import { symbolPath } from '../../../../charts/symbols.ts'
import type { DataTable, TableCell } from '../blocks.ts'
import { INK, NIVEL_LOOK } from '../drawing.ts'
import { CONTENT, PAGE, STYLES, type StructureElement, type TextStyle, type Writer } from './writer.ts'

/** Tables that stand alone, and those of the charts at the end. */
const SIZES = {
  normal: { text: { size: 8.5, line: 11.5 }, pad: 3, gap: 14 },
  dense: { text: { size: 7.5, line: 9.5 }, pad: 1.4, gap: 12 },
} as const
const SIGN = 9
const COLUMN_GAP = 24
/** Points of rows that stay on one page. */
const UNDIVIDED = 240

type Size = (typeof SIZES)[keyof typeof SIZES]

interface Layout {
  size: Size
  columns: { x: number; width: number; isNumber: boolean }[]
  /** Of a part; two of them stand side by side. */
  width: number
  parts: 1 | 2
}

/** Caption, header and rows; the header is repeated, as an artifact, wherever rows go on. */
export function writeTable(
  writer: Writer,
  parent: StructureElement,
  table: DataTable,
  kind: keyof typeof SIZES,
): void {
  const layout = layoutOf(writer, table, SIZES[kind])
  writer.need(leastHeight(writer, layout, table))
  writer.text(parent, 'P', table.caption, STYLES.caption)
  writer.y += 4
  const element = writer.element(parent, 'Table')
  const top = writer.y
  const body = writeHead(writer, element, layout, table)
  writeRows(writer, body, layout, table, top)
  body.end()
  element.end()
  writer.y += 14
}

/** Room that a table with its caption begins in. */
export const tableBeginning = (writer: Writer, table: DataTable): number =>
  leastHeight(writer, layoutOf(writer, table, SIZES.normal), table)

/** A short table is not divided; a long one begins where some rows fit. */
function leastHeight(writer: Writer, layout: Layout, table: DataTable): number {
  const head = rowHeight(writer, layout, headCells(table), true)
  const rows = table.rows.reduce((sum, row) => sum + rowHeight(writer, layout, row, false), 0)
  return STYLES.caption.line + 4 + head + (rows <= UNDIVIDED ? rows : 6 * layout.size.text.line)
}

const headCells = ({ columns, rows }: DataTable): TableCell[] =>
  columns.map((text, at) => ({
    text,
    isNumber: rows.some((row) => row[at]?.isNumber === true),
    nivel: null,
  }))

function writeHead(
  writer: Writer,
  table: StructureElement,
  layout: Layout,
  data: DataTable,
): StructureElement {
  const head = writer.element(table, 'THead')
  const row = writer.element(head, 'TR')
  writeCells(writer, layout, headCells(data), 0, true, (at, draw) => {
    const cell = writer.element(row, 'TH', { scope: 'Column' })
    writer.inside(cell, 'TH', () => draw(at))
    cell.end()
  })
  row.end()
  head.end()
  writer.artifact(() => drawRule(writer, layout, 0, true))
  return writer.element(table, 'TBody')
}

/** Down the page; long tables then go on at its right half, before a new page. */
function writeRows(
  writer: Writer,
  body: StructureElement,
  layout: Layout,
  data: DataTable,
  first: number,
): void {
  let [part, top, lowest] = [0, first, writer.y]
  const isSplit = layout.parts === 2
  const heights = data.rows.map((row) => rowHeight(writer, layout, row, false))
  // Both halves of a short table are equally long, instead of one to the bottom and a rest.
  const total = heights.reduce((sum, height) => sum + height, 0)
  const room = PAGE.height - PAGE.bottom
  let done = 0
  const balanced = () =>
    isSplit ? Math.min(room, writer.y + (total - done) / 2 + (heights[0] ?? 0) / 2) : room
  let bottom = balanced()
  for (const [i, row] of data.rows.entries()) {
    const height = heights[i] as number
    if (writer.y + height > bottom) {
      if (isSplit && part === 0) {
        part = 1
        writer.y = top
        bottom = room
      } else {
        writer.newPage()
        ;[part, top, lowest] = [0, writer.y, writer.y]
      }
      const at = part
      writer.artifact(() => {
        writeCells(writer, layout, headCells(data), at, true, (column, draw) => draw(column))
        drawRule(writer, layout, at, true)
      })
      if (part === 0) bottom = balanced()
    }
    writeRow(writer, body, layout, row, part)
    done += height
    lowest = Math.max(lowest, writer.y)
  }
  writer.y = lowest
}

function writeRow(
  writer: Writer,
  body: StructureElement,
  layout: Layout,
  cells: readonly TableCell[],
  part: number,
): void {
  const row = writer.element(body, 'TR')
  writeCells(writer, layout, cells, part, false, (at, draw) => {
    const type = at === 0 ? 'TH' : 'TD'
    const cell = writer.element(row, type, at === 0 ? { scope: 'Row' } : {})
    writer.inside(cell, type, () => draw(at))
    cell.end()
  })
  row.end()
  writer.artifact(() => drawRule(writer, layout, part, false))
}

/** One row at the cursor, which goes below it. */
function writeCells(
  writer: Writer,
  layout: Layout,
  cells: readonly TableCell[],
  part: number,
  isHead: boolean,
  mark: (at: number, draw: (at: number) => void) => void,
): void {
  const { size, columns, width } = layout
  const left = PAGE.left + part * (width + COLUMN_GAP)
  const top = writer.y + size.pad
  const height = rowHeight(writer, layout, cells, isHead)
  for (const at of cells.keys())
    mark(at, (column) => {
      const cell = cells[column] as TableCell
      const { x, width, isNumber } = columns[column] as Layout['columns'][number]
      const style = styleOf(size, cell, isHead)
      const lines = linesOf(writer, layout, cell, column, isHead)
      // The words of a head stand at its foot.
      const start = isHead ? writer.y + height - size.pad - lines.length * style.line : top
      if (cell.nivel !== null) drawSign(writer, cell, left + x, start, style)
      for (const [i, line] of lines.entries()) {
        const indent = isNumber ? width - writer.width(line, style) : cell.nivel === null ? 0 : SIGN + 3
        writer.line(line, style, left + x + indent, start + i * style.line)
      }
    })
  writer.y += height
}

/** Line below a row that was just written. */
function drawRule(writer: Writer, { width }: Layout, part: number, isHead: boolean): void {
  const left = PAGE.left + part * (width + COLUMN_GAP)
  writer.doc
    .lineWidth(isHead ? 0.8 : 0.4)
    .moveTo(left, writer.y)
    .lineTo(left + width, writer.y)
    .stroke(isHead ? INK.older : INK.axis)
}

const styleOf = (size: Size, { isNumber }: TableCell, isHead: boolean): TextStyle => ({
  ...size.text,
  isNumber,
  ...(isHead && { bold: true, fill: INK.soft }),
})

function drawSign(writer: Writer, { nivel }: TableCell, x: number, y: number, style: TextStyle): void {
  if (nivel === null) return
  const { fill, symbol } = NIVEL_LOOK[nivel]
  const middle: [number, number] = [x + SIGN / 2, y + style.line / 2]
  writer.doc
    .lineWidth(0.6)
    .path(symbolPath(symbol, middle, SIGN * 0.33))
    .fillAndStroke(fill, INK.text)
}

const linesOf = (writer: Writer, { size, columns }: Layout, cell: TableCell, at: number, isHead: boolean) =>
  writer.wrap(
    cell.text,
    styleOf(size, cell, isHead),
    (columns[at]?.width ?? 0) - (cell.nivel === null ? 0 : SIGN + 3) + 0.1,
  )

function rowHeight(writer: Writer, layout: Layout, cells: readonly TableCell[], isHead: boolean): number {
  const most = Math.max(...cells.map((cell, at) => linesOf(writer, layout, cell, at, isHead).length))
  return most * layout.size.text.line + 2 * layout.size.pad
}

/** Widths by what the cells need; what is left goes to the first column, what is missing is taken from it. */
function layoutOf(writer: Writer, table: DataTable, size: Size): Layout {
  const parts = table.isLong && size === SIZES.dense ? 2 : 1
  const width = parts === 1 ? CONTENT : (CONTENT - COLUMN_GAP) / 2
  const heads = headCells(table)
  const natural = heads.map((head, at) => {
    const words = head.text.split(' ').map((word) => writer.width(word, styleOf(size, head, true)))
    const cells = table.rows.map((row) => {
      const cell = row[at]
      if (cell === undefined) return 0
      return writer.width(cell.text, styleOf(size, cell, false)) + (cell.nivel === null ? 0 : SIGN + 3)
    })
    return Math.max(...words, ...cells)
  })
  const others = natural.slice(1).reduce((sum, one) => sum + one + size.gap, 0)
  const free = width - others - (natural[0] ?? 0)
  const share = free > 0 ? Math.min(30, free / Math.max(1, natural.length)) : 0
  const widths = natural.map((one, at) =>
    at === 0 ? Math.max(Math.min(40, one), width - others - share * (natural.length - 1)) : one + share,
  )
  let x = 0
  const columns = widths.map((one, at) => {
    const column = { x, width: one, isNumber: heads[at]?.isNumber ?? false }
    x += one + size.gap
    return column
  })
  return { size, columns, width, parts }
}
