import { INK } from '../drawing.ts'
import { toLatin } from './latin.ts'

declare global {
  namespace PDFKit.Mixins {
    /** Options of pdfkit that its types do not know yet. */
    interface StructureElementOptions {
      bbox?: [number, number, number, number]
      scope?: 'Column' | 'Row'
    }
  }
}

export type Pdf = PDFKit.PDFDocument
export type StructureElement = PDFKit.PDFStructureElement

/** A4 in points, with its margins. */
export const PAGE = { width: 595.28, height: 841.89, left: 50, right: 50, top: 54, bottom: 62 } as const
export const CONTENT = PAGE.width - PAGE.left - PAGE.right

export interface TextStyle {
  size: number
  /** From one line to the next. */
  line: number
  bold?: boolean
  fill?: string
  /** Digits of equal width. */
  isNumber?: boolean
}

export const STYLES = {
  kind: { size: 8.5, line: 12, bold: true, fill: INK.now },
  h1: { size: 22, line: 27, bold: true },
  place: { size: 14, line: 18, bold: true },
  h2: { size: 15, line: 20, bold: true },
  h3: { size: 11.5, line: 16, bold: true },
  body: { size: 10, line: 14.5 },
  soft: { size: 9, line: 13, fill: INK.soft },
  caption: { size: 10, line: 14, bold: true },
  small: { size: 8.5, line: 12, fill: INK.soft },
} as const satisfies Record<string, TextStyle>

/** Size that widths are measured at. */
const MEASURED = 100
/** Baseline below the middle of a line, by the size: half of a capital letter. */
export const BASELINE = 0.35

/** Pen on the pages: a cursor that goes down, pages that follow, and the structure that readers aloud follow. */
export interface Writer {
  doc: Pdf
  /** Top of what comes next. */
  y: number
  /** Space that is left on the page. */
  left(): number
  newPage(): void
  /** Goes to a new page where less than that is left. */
  need(height: number): void
  width(text: string, style: TextStyle): number
  wrap(text: string, style: TextStyle, width: number): string[]
  /** One line, its top at `y`. */
  line(text: string, style: TextStyle, x: number, y: number): void
  /** Draws as content of an element; everything on a page must be that or an artifact. */
  inside(element: StructureElement, type: string, draw: () => void): void
  /** Draws what readers aloud leave out. */
  artifact(draw: () => void): void
  element(
    parent: StructureElement,
    type: string,
    options?: PDFKit.Mixins.StructureElementOptions,
  ): StructureElement
  /** Paragraphs of text as one element, over as many pages as they need. */
  text(
    parent: StructureElement,
    type: string,
    text: string,
    style: TextStyle,
    place?: { x: number; width: number },
  ): void
}

export function createWriter(doc: Pdf): Writer {
  const widths = new Map<string, number>()
  const withStyle = ({ size, bold, fill }: TextStyle) =>
    doc
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(fill ?? INK.text)
  const optionsOf = ({ isNumber }: TextStyle): PDFKit.Mixins.TextOptions =>
    isNumber ? { features: ['tnum'] } : {}
  const writer: Writer = {
    doc,
    y: PAGE.top,
    left: () => PAGE.height - PAGE.bottom - writer.y,
    newPage() {
      doc.addPage()
      writer.y = PAGE.top
    },
    need(height) {
      if (writer.left() < height && writer.y > PAGE.top) writer.newPage()
    },
    width(text, style) {
      // Shaping is most of the work, and tables ask for the same words again and again.
      const key = `${style.bold ?? false} ${style.isNumber ?? false} ${text}`
      const known = widths.get(key)
      if (known !== undefined) return (known * style.size) / MEASURED
      const width = withStyle({ ...style, size: MEASURED }).widthOfString(toLatin(text), optionsOf(style))
      widths.set(key, width)
      return (width * style.size) / MEASURED
    },
    wrap: (text, style, width) =>
      toLatinLines(text).flatMap((line) => wrapped(line, width, (part) => writer.width(part, style))),
    line(text, style, x, y) {
      const options = { ...optionsOf(style), lineBreak: false, baseline: 'alphabetic' } as const
      withStyle(style).text(toLatin(text), x, y + style.line / 2 + BASELINE * style.size, options)
    },
    inside(element, type, draw) {
      element.add(doc.markStructureContent(type))
      draw()
      doc.endMarkedContent()
    },
    artifact(draw) {
      doc.markContent('Artifact', { type: 'Layout' })
      draw()
      doc.endMarkedContent()
    },
    element(parent, type, options = {}) {
      const element = doc.struct(type, options)
      parent.add(element)
      return element
    },
    text(parent, type, text, style, { x, width } = { x: PAGE.left, width: CONTENT }) {
      const element = writer.element(parent, type)
      const lines = writer.wrap(text, style, width)
      while (lines.length > 0) {
        writer.need(style.line)
        const fitting = lines.splice(0, Math.max(1, Math.floor(writer.left() / style.line)))
        writer.inside(element, type, () => {
          for (const [i, line] of fitting.entries()) {
            // A space between lines: they are read as one text.
            const isLast = i === fitting.length - 1 && lines.length === 0
            writer.line(isLast ? line : `${line} `, style, x, writer.y)
            writer.y += style.line
          }
        })
      }
      element.end()
    },
  }
  return writer
}

const toLatinLines = (text: string) => text.split(/\r?\n/).map((line) => toLatin(line))

/** Words to lines; a word that is longer than a line is cut. */
function wrapped(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (widthOf(line) > width && line.length > 1) {
      const fitting = Math.max(1, Math.floor((line.length * width) / widthOf(line)))
      lines.push(line.slice(0, fitting))
      line = line.slice(fitting)
    }
  }
  return [...lines, line]
}
