import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Celula } from './csv.ts'

/** What a sheet holds, the header included. */
export const MAX_ROWS = 1_048_576

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const PARTS: Record<string, string> = {
  '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Dados" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}

/** The smallest workbook there is: one sheet, texts in the cells themselves, which a spreadsheet never takes for formulas. */
export async function* writeXlsx(
  colunas: readonly string[],
  blocos: AsyncIterable<Celula[][]>,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(PARTS)) zip.addBuffer(Buffer.from(content), name)
  const sheet = Readable.from(sheetOf(colunas, blocos), { objectMode: false })
  sheet.on('error', (error) => (zip.outputStream as unknown as Readable).destroy(error))
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  yield* zip.outputStream as AsyncIterable<Buffer>
}

async function* sheetOf(
  colunas: readonly string[],
  blocos: AsyncIterable<Celula[][]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${XML}<worksheet xmlns="${MAIN}"><sheetData>${rowOf(colunas)}`)
  for await (const bloco of blocos) yield Buffer.from(bloco.map(rowOf).join(''))
  yield Buffer.from('</sheetData></worksheet>')
}

function rowOf(row: readonly Celula[]): string {
  return `<row>${row.map(cellOf).join('')}</row>`
}

function cellOf(value: Celula): string {
  if (value === null || value === '') return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** XML has no place for most control characters. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] as string)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}
