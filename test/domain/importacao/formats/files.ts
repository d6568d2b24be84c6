import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { implode } from 'node-pkware/simple'
import { ZipFile } from 'yazl'
import { openTable } from '../../../../src/domain/importacao/formats/open.ts'
import {
  type FileRow,
  type FileSource,
  type FileTable,
  type Formato,
  InvalidFile,
} from '../../../../src/domain/importacao/formats/table.ts'

/** Files made here, and what they read as. */

export function sourceOf(content: Buffer | string, chunk = 64 * 1024): FileSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return {
    size: bytes.length,
    async *stream() {
      for (let i = 0; i < bytes.length; i += chunk) yield bytes.subarray(i, i + chunk)
    },
    readAt: async (offset, length) => bytes.subarray(offset, offset + length),
  }
}

/** A file that exists only as far as it is read: its beginning, then one piece many times. */
export function repeatedSource(start: string, chunk: Buffer, times: number): FileSource {
  const head = Buffer.from(start)
  return {
    size: head.length + chunk.length * times,
    async *stream() {
      if (head.length > 0) yield head
      for (let i = 0; i < times; i++) yield chunk
    },
    readAt: async (offset, length) => Buffer.concat([head, chunk]).subarray(offset, offset + length),
  }
}

export interface ReadTable {
  formato: Formato
  warning: string | null
  header: string[]
  rows: FileRow[]
  values: string[][]
}

export async function readTable(
  content: FileSource | Buffer | string,
  hint: Formato | null = null,
): Promise<ReadTable> {
  const source = typeof content === 'string' || Buffer.isBuffer(content) ? sourceOf(content) : content
  const { table, warning } = await openTable(source, hint)
  const rows: FileRow[] = []
  for await (const block of table.blocks) rows.push(...block)
  const { formato, header } = table
  return { formato, warning, header, rows, values: rows.map(({ values }) => values) }
}

export async function count({ blocks }: FileTable): Promise<number> {
  let rows = 0
  for await (const block of blocks) rows += block.length
  return rows
}

/** The file is refused with a message for its sender, and that message says this. */
export async function assertRefused(content: FileSource | Buffer | string, message: RegExp): Promise<void> {
  const source = typeof content === 'string' || Buffer.isBuffer(content) ? sourceOf(content) : content
  await assert.rejects(
    async () => await count((await openTable(source, null)).table),
    (error) => {
      assert.ok(error instanceof InvalidFile, String(error))
      assert.match(error.message, message)
      return true
    },
  )
}

export type TestField = [name: string, type: string, size: number]

/** A DBF; `*` before the first value marks a deleted record. */
export function makeDbf(
  fields: TestField[],
  records: string[][],
  options: { terminator?: boolean; end?: boolean } = {},
): Buffer {
  const descriptors = fields.map(([name, type, size]) => {
    const d = Buffer.alloc(32)
    d.write(name, 'latin1')
    d.write(type, 11, 'latin1')
    d[16] = size
    return d
  })
  const terminator = Buffer.from(options.terminator === false ? [] : [0x0d])
  const header = Buffer.alloc(32)
  header.set([0x03, 124, 5, 17])
  header.writeUInt32LE(records.length, 4)
  header.writeUInt16LE(32 + 32 * fields.length + terminator.length, 8)
  header.writeUInt16LE(1 + fields.reduce((sum, [, , size]) => sum + size, 0), 10)
  const body = records.map((values) => {
    const deleted = values[0]?.startsWith('*') === true && values.length > fields.length
    const rest = deleted ? values.slice(1) : values
    const text = rest.map((value, i) => value.padEnd(fields[i]?.[2] ?? 0)).join('')
    return Buffer.from((deleted ? '*' : ' ') + text, 'latin1')
  })
  return Buffer.concat([
    header,
    ...descriptors,
    terminator,
    ...body,
    Buffer.from(options.end === false ? [] : [0x1a]),
  ])
}

/** The same file as DATASUS hands it out. */
export function makeDbc(dbf: Buffer, mode: 'ascii' | 'binary' = 'binary'): Buffer {
  const end = dbf.readUInt16LE(8)
  const body = new Uint8Array(dbf.subarray(end)).buffer
  return Buffer.concat([dbf.subarray(0, end), Buffer.from('crc!'), Buffer.from(implode(body, mode, 'large'))])
}

export async function makeZip(
  parts: Record<string, string | Buffer | Readable>,
  options: { compress?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) {
    if (content instanceof Readable) zip.addReadStream(content, name, options)
    else zip.addBuffer(Buffer.from(content), name, options)
  }
  zip.end()
  return await buffer(zip.outputStream)
}

const NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface XlsxParts {
  /** Of the first sheet: what stands inside sheetData, or the whole part as a stream. */
  data: string | Readable
  strings?: string | Readable
  styles?: string
  workbook?: string
  relations?: string
  others?: Record<string, string>
}

export async function makeXlsx(parts: XlsxParts): Promise<Buffer> {
  const { data, strings, styles, workbook, relations, others } = parts
  return await makeZip({
    'xl/workbook.xml':
      workbook ??
      `<workbook ${NS} xmlns:r="${R}"><sheets><sheet name="Casos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      relations ?? `<Relationships>${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml':
      typeof data === 'string' ? `<worksheet ${NS}><sheetData>${data}</sheetData></worksheet>` : data,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': strings }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': styles }),
    ...others,
  })
}

export function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${R}/${type}" Target="${target}"/>`
}

/** A text as a cell that holds it itself. */
export function cell(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
}

/** Text that is only made while it is read, some pieces at a time. */
export function generatedText(
  start: string,
  chunk: (i: number) => string,
  times: number,
  end: string,
): Readable {
  return Readable.from(joined(start, chunk, times, end), { objectMode: false })
}

function* joined(start: string, chunk: (i: number) => string, times: number, end: string): Generator<Buffer> {
  let text = start
  for (let i = 0; i < times; i++) {
    text += chunk(i)
    if (text.length < 64 * 1024) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text + end)
}
