import type { Language } from '../../../errors/texts.ts'
import type { Boletim } from '../dados.ts'
import type { BulletinDocument, DataTable, DocumentBlock } from './blocks.ts'
import { documentOf } from './document.ts'
import { INK } from './drawing.ts'
import { pdfFont } from './fonts.ts'
import { type Words, wordsOf } from './format.ts'
import { chartHeight, writeChart } from './pdf/chart.ts'
import { writeFigures } from './pdf/figures.ts'
import { toMetadata } from './pdf/latin.ts'
import { tableBeginning, writeTable } from './pdf/table.ts'
import {
  CONTENT,
  createWriter,
  PAGE,
  type Pdf,
  STYLES,
  type StructureElement,
  type Writer,
} from './pdf/writer.ts'

/** Tagged PDF with the content of the HTML, the tables of the charts at its end. The same data gives the same bytes. */
export async function renderPdf(boletim: Boletim, language: Language): Promise<Buffer> {
  // Loaded when it is first needed: half a second of a start that most instances never use.
  const { default: PDFDocument } = await import('pdfkit')
  const w = wordsOf(language)
  const it = documentOf(w, boletim)
  const { cabecalho, dados } = boletim
  const maker = `${dados.notas.software.nome} ${dados.notas.software.versao}`
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    lang: language,
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: toMetadata(`${it.title} · ${it.lugar} · ${it.semana}`),
      Creator: maker,
      Producer: maker,
      // Of the data, not of the printing.
      CreationDate: new Date(cabecalho.dados_ate ?? `${cabecalho.semana.fim}T00:00:00Z`),
    },
  })
  const bytes = collect(doc)
  doc.registerFont('regular', pdfFont('regular')).registerFont('bold', pdfFont('bold'))
  write(createWriter(doc), w, it)
  doc.end()
  return bytes
}

function collect(doc: Pdf): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}

function write(writer: Writer, w: Words, it: BulletinDocument): void {
  const { doc } = writer
  const root = doc.struct('Document')
  doc.addStructure(root)
  writeHead(writer, root, it)
  writeOwnWords(writer, root, it.highlights === null ? null : { ...it.highlights, isList: true })
  for (const box of it.figures.boxes) writeFigures(writer, root, box)
  writeOwnWords(
    writer,
    root,
    it.note === null ? null : { title: it.note.title, items: [it.note.text], isList: false },
  )
  const annex = writeBlocks(writer, root, w, it.blocks)
  if (annex.length > 0) {
    writer.newPage()
    writeHeading(writer, root, 2, w.t.tables)
    for (const table of annex) writeTable(writer, root, table, 'dense')
  }
  root.end()
  writeFooters(writer, w, it)
}

function writeHead(writer: Writer, root: StructureElement, it: BulletinDocument): void {
  writer.artifact(() => writer.doc.rect(0, 0, PAGE.width, 7).fill('#0b2f39'))
  if (it.kind !== null) {
    writer.text(root, 'P', it.kind, STYLES.kind)
    writer.y += 3
  }
  writer.text(root, 'H1', it.title, STYLES.h1)
  writer.y += 2
  writer.text(root, 'P', it.lugar, STYLES.place)
  writer.y += 3
  for (const line of [it.semana, it.dadosAte]) writer.text(root, 'P', line, STYLES.soft)
  if (it.publico !== null) writer.text(root, 'P', it.publico, { ...STYLES.soft, bold: true })
  writer.y += 7
  rule(writer, 0.6, INK.axis)
  writer.y += 7
  for (const line of it.methods) writer.text(root, 'P', line, STYLES.small)
  writer.y += 10
}

function rule({ artifact, doc, y }: Writer, width: number, colour: string): void {
  artifact(() =>
    doc
      .lineWidth(width)
      .moveTo(PAGE.left, y)
      .lineTo(PAGE.left + CONTENT, y)
      .stroke(colour),
  )
}

/** Words of the person who asked for the bulletin, with a bar beside them where they end. */
function writeOwnWords(
  writer: Writer,
  root: StructureElement,
  own: { title: string; items: string[]; isList: boolean } | null,
): void {
  if (own === null) return
  const place = { x: PAGE.left + 12, width: CONTENT - 12 }
  writer.need(60)
  const { page } = writer.doc
  const top = writer.y
  writer.text(root, 'P', own.title, STYLES.caption, place)
  if (own.isList) writeList(writer, root, own.items, STYLES.body, place)
  else for (const item of own.items) writer.text(root, 'P', item, STYLES.body, place)
  const from = writer.doc.page === page ? top : PAGE.top
  writer.artifact(() => writer.doc.rect(PAGE.left, from, 3, writer.y - from).fill(INK.now))
  writer.y += 14
}

function writeList(
  writer: Writer,
  root: StructureElement,
  items: readonly string[],
  style: (typeof STYLES)['body' | 'soft'],
  { x, width }: { x: number; width: number },
): void {
  const list = writer.element(root, 'L')
  for (const item of items) {
    writer.need(style.line)
    const entry = writer.element(list, 'LI')
    const mark = writer.element(entry, 'Lbl')
    writer.inside(mark, 'Lbl', () => writer.line('• ', style, x, writer.y))
    mark.end()
    writer.text(entry, 'LBody', item, style, { x: x + 11, width: width - 11 })
    writer.y += 2
    entry.end()
  }
  list.end()
}

/** Writes all blocks; answers the tables of the charts, numbered, for the end. */
function writeBlocks(
  writer: Writer,
  root: StructureElement,
  w: Words,
  blocks: readonly DocumentBlock[],
): DataTable[] {
  const annex: DataTable[] = []
  let agravo = ''
  for (const [i, block] of blocks.entries()) {
    switch (block.kind) {
      case 'heading':
        agravo = block.level === 3 ? `${block.text}: ` : ''
        writer.need(heightUntilShown(writer, blocks.slice(i)))
        writeHeading(writer, root, block.level, block.text)
        break
      case 'paragraph':
        writer.text(root, 'P', block.text, STYLES.body)
        writer.y += 6
        break
      case 'list':
        writeList(writer, root, block.items, STYLES.soft, { x: PAGE.left, width: CONTENT })
        break
      case 'chart': {
        const number = annex.length + 1
        const { table } = block.chart
        annex.push({ ...table, caption: w.t.tableNumber(number, `${agravo}${table.caption}`) })
        writeChart(writer, root, block.chart, w.t.inAnnex(number))
        break
      }
      case 'table':
        writer.y += 2
        writeTable(writer, root, block.table, 'normal')
        break
    }
  }
  return annex
}

function writeHeading(writer: Writer, root: StructureElement, level: 2 | 3, text: string): void {
  if (level === 2) {
    writer.y += writer.y > PAGE.top ? 12 : 0
    rule(writer, 1.4, '#0b2f39')
    writer.y += 7
    writer.doc.outline.addItem(text)
  } else {
    writer.y += 4
  }
  writer.text(root, level === 2 ? 'H2' : 'H3', text, level === 2 ? STYLES.h2 : STYLES.h3)
  writer.y += 3
}

/** Height of a heading with what follows it up to its first chart or the beginning of its table: they stay together. */
function heightUntilShown(writer: Writer, blocks: readonly DocumentBlock[]): number {
  let height = 0
  let hasText = false
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (hasText) return height
      height += 44
    } else if (block.kind === 'paragraph') {
      hasText = true
      height += writer.wrap(block.text, STYLES.body, CONTENT).length * STYLES.body.line + 6
    } else return height + beginningOf(writer, block)
  }
  return height
}

function beginningOf(
  writer: Writer,
  block: Extract<DocumentBlock, { kind: 'chart' | 'table' | 'list' }>,
): number {
  if (block.kind === 'chart') return chartHeight(writer, block.chart)
  return block.kind === 'table' ? tableBeginning(writer, block.table) : 60
}

/** Place, week and number of every page, when all are known. */
function writeFooters(writer: Writer, w: Words, it: BulletinDocument): void {
  const { doc } = writer
  const { count } = doc.bufferedPageRange()
  const y = PAGE.height - 42
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page)
    doc.markContent('Artifact', { type: 'Pagination' })
    doc
      .lineWidth(0.5)
      .moveTo(PAGE.left, y)
      .lineTo(PAGE.left + CONTENT, y)
      .stroke(INK.axis)
    writer.line(`${it.lugar} · ${it.semana}`, STYLES.small, PAGE.left, y + 6)
    const number = w.t.page(page + 1, count)
    writer.line(number, STYLES.small, PAGE.left + CONTENT - writer.width(number, STYLES.small), y + 6)
    doc.endMarkedContent()
  }
}
