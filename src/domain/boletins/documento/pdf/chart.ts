import type { Chart } from '../blocks.ts'
import { type Drawing, INK, type LegendEntry, SAMPLE, type Shape, WIDE } from '../drawing.ts'
import { BASELINE, CONTENT, PAGE, type Pdf, STYLES, type StructureElement, type Writer } from './writer.ts'

/** The same drawing as in the HTML, scaled to the width of the page. */
const SCALE = CONTENT / WIDE
const LEGEND_GAP = 16
const SAMPLE_SCALE = 0.75

export const chartHeight = (writer: Writer, { caption, draw, legend }: Chart): number =>
  writer.wrap(caption, STYLES.caption, CONTENT).length * STYLES.caption.line +
  draw(WIDE).height * SCALE +
  legendRows(writer, legend).length * STYLES.small.line +
  STYLES.small.line +
  20

/** Caption, then drawing and legend as one figure with its alternative text; `below` tells where its table is. */
export function writeChart(writer: Writer, parent: StructureElement, chart: Chart, below: string): void {
  const { doc } = writer
  writer.need(chartHeight(writer, chart))
  writer.text(parent, 'P', chart.caption, STYLES.caption)
  writer.y += 4
  const drawing = chart.draw(WIDE)
  const rows = legendRows(writer, chart.legend)
  const [top, height] = [writer.y, drawing.height * SCALE + rows.length * STYLES.small.line + 4]
  const figure = writer.element(parent, 'Figure', {
    alt: chart.alt,
    bbox: [PAGE.left, top, PAGE.left + CONTENT, top + height],
  })
  writer.inside(figure, 'Figure', () => {
    doc.save().translate(PAGE.left, top).scale(SCALE)
    drawShapes(writer, drawing)
    doc.restore()
    writer.y += drawing.height * SCALE + 4
    for (const row of rows) {
      let x: number = PAGE.left
      for (const entry of row) {
        writeEntry(writer, entry, x)
        x += entryWidth(writer, entry)
      }
      writer.y += STYLES.small.line
    }
  })
  figure.end()
  writer.y += 2
  writer.text(parent, 'P', below, STYLES.small)
  writer.y += 10
}

function drawShapes(writer: Writer, { shapes }: Drawing): void {
  for (const shape of shapes) drawShape(writer, shape)
}

export function drawShape(writer: Writer, shape: Shape): void {
  const { doc } = writer
  if (shape.kind === 'path') {
    drawPath(doc, shape)
    return
  }
  const { text, size, bold, fill, anchor, x, y } = shape
  const style = { size, line: size, fill, bold: bold ?? false, isNumber: true }
  const width = anchor === 'start' ? 0 : writer.width(text, style)
  const left = anchor === 'middle' ? x - width / 2 : x - width
  // The y of a text is its baseline.
  writer.line(text, style, left, y - (0.5 + BASELINE) * size)
}

function drawPath(doc: Pdf, shape: Extract<Shape, { kind: 'path' }>): void {
  const { d, fill, stroke, width, dash } = shape
  doc.path(d)
  if (stroke === undefined) {
    doc.fill(fill ?? INK.text, 'even-odd')
    return
  }
  doc.lineWidth(width ?? 1).lineJoin('round')
  if (dash === undefined) doc.undash().lineCap('round')
  else doc.lineCap('butt').dash(dash[0] ?? 1, { space: dash[1] ?? 1 })
  if (fill === undefined) doc.stroke(stroke)
  else doc.fillAndStroke(fill, stroke, 'even-odd')
  doc.undash()
}

const entryWidth = (writer: Writer, { label }: LegendEntry) =>
  SAMPLE.width * SAMPLE_SCALE + 6 + writer.width(label, STYLES.small) + LEGEND_GAP

function legendRows(writer: Writer, legend: readonly LegendEntry[]): LegendEntry[][] {
  const rows: LegendEntry[][] = []
  let used = Number.POSITIVE_INFINITY
  for (const entry of legend) {
    const width = entryWidth(writer, entry)
    if (used + width - LEGEND_GAP > CONTENT) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push(entry)
    used += width
  }
  return rows
}

function writeEntry(writer: Writer, { label, sample }: LegendEntry, x: number): void {
  const { doc, y } = writer
  doc
    .save()
    .translate(x, y + (STYLES.small.line - SAMPLE.height * SAMPLE_SCALE) / 2)
    .scale(SAMPLE_SCALE)
  for (const shape of sample) drawShape(writer, shape)
  doc.restore()
  writer.line(label, STYLES.small, x + SAMPLE.width * SAMPLE_SCALE + 6, y)
}
