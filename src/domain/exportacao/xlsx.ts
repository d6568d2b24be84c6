import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { timeInBrazil } from '../../brasil/calendar.ts'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'

/** Limit of XLSX, the header included. */
export const MAX_ROWS = 1_048_576

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const PARTS: Record<string, string> = {
  '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets><sheet name="Dados" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  // The order of `cellXfs` is that of STYLES.
  'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy hh:mm:ss"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}
const STYLES = { header: 1, date: 2, moment: 3 } as const

/**
 * Streams an XLSX of one sheet over yazl, in constant memory. Inline strings instead of a shared table, which would have to
 * be complete before the sheet; spreadsheets never read them as formulas. Dates are date cells, moments in Brazilian time.
 */
export async function* writeXlsx(
  colunas: readonly FileColumn[],
  blocks: AsyncIterable<CellValue[][]>,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(PARTS)) zip.addBuffer(Buffer.from(content), name)
  const sheet = Readable.from(sheetOf(colunas, blocks), { objectMode: false })
  sheet.on('error', (error) => (zip.outputStream as unknown as Readable).destroy(error))
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  yield* zip.outputStream as AsyncIterable<Buffer>
}

const FROZEN_HEADER =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'

async function* sheetOf(
  colunas: readonly FileColumn[],
  blocks: AsyncIterable<CellValue[][]>,
): AsyncGenerator<Buffer> {
  const header = colunas.map(({ nome }) => textCell(nome, ` s="${STYLES.header}"`))
  yield Buffer.from(
    `${XML}<worksheet xmlns="${MAIN}">${FROZEN_HEADER}<cols>${colunas.map(widthOf).join('')}</cols><sheetData>${rowOf(header)}`,
  )
  let rows = 1
  const writers = colunas.map(({ kind }) => WRITERS[kind] ?? cellOf)
  for await (const block of blocks) {
    rows += block.length
    yield Buffer.from(block.map((row) => rowOf(row.map((cell, i) => (writers[i] ?? cellOf)(cell)))).join(''))
  }
  yield Buffer.from(`</sheetData><autoFilter ref="A1:${lettersOf(colunas.length)}${rows}"/></worksheet>`)
}

const rowOf = (cells: string[]): string => `<row>${cells.join('')}</row>`

/** Column width in characters: the name plus the button of the filter. */
function widthOf({ nome, kind }: FileColumn, i: number): string {
  const width = Math.max(nome.length + 4, kind === 'moment' ? 20 : 12)
  return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`
}

/** `28` → `AB`. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + ((column - 1) % 26))
  return column > 26 ? lettersOf(Math.floor((column - 1) / 26)) + last : last
}

const WRITERS: Partial<Record<FileColumn['kind'], (value: CellValue) => string>> = {
  date: (value) => serialCell(value, STYLES.date, (date) => `${date}T00:00:00Z`),
  moment: (value) =>
    serialCell(value, STYLES.moment, (moment) => `${timeInBrazil(new Date(moment)).replace(' ', 'T')}Z`),
}

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(1899, 11, 30)
/** 1 March 1900: before it spreadsheets disagree on day numbers. */
const FIRST_SERIAL = 61

/** Date as a serial day number; as text where it has none. */
function serialCell(value: CellValue, style: number, utcOf: (text: string) => string): string {
  if (typeof value !== 'string') return cellOf(value)
  const serial = (Date.parse(utcOf(value)) - FIRST_DAY) / DAY_MS
  return serial >= FIRST_SERIAL ? `<c s="${style}"><v>${serial}</v></c>` : cellOf(value)
}

function cellOf(value: CellValue): string {
  if (value === null || value === '') return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  return textCell(value)
}

const textCell = (text: string, style = ''): string =>
  `<c t="inlineStr"${style}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Drops control characters that XML cannot represent. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] as string)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}
