import { posix } from 'node:path'
import type { FileRow, FileTable } from './table.ts'
import { InvalidFile, LIMITS } from './table.ts'
import { SheetReader } from './xlsx-sheet.ts'
import { decodeEscapes, isDateFormat } from './xlsx-values.ts'
import { localName, readXml, XmlReader } from './xml.ts'
import type { Zip } from './zip.ts'

/**
 * Streaming XLSX reader over yauzl and saxes. Hand-written because no maintained library streams with limits: exceljs is
 * no longer released, xlsx holds the whole workbook in memory. Reads the first visible sheet; only the shared strings are kept, and bounded.
 */

const WORKBOOK = 'xl/workbook.xml'
/** Limit of each part other than strings and sheet; a workbook with thousands of styles has a few MiB. */
const PART_BYTES = 16 * 1024 * 1024
/** Cost of a string beside its characters, so that millions of empty ones reach the limit too. */
const STRING_COST = 16

export function isXlsx(zip: Zip): boolean {
  return zip.has(WORKBOOK)
}

export async function openXlsx(zip: Zip): Promise<FileTable> {
  const { sheets, date1904 } = await readWorkbook(zip)
  const relations = await readRelations(zip)
  const sheet = sheets
    .map((id) => relations.get(id))
    .find((relation) => relation?.type === 'worksheet' && zip.has(relation.target))
  if (sheet === undefined) throw new InvalidFile('A planilha XLSX não tem nenhuma aba visível.')
  const targetOf = (type: string) =>
    [...relations.values()].find((relation) => relation.type === type)?.target
  const reader = new SheetReader({
    date1904,
    strings: await readStrings(zip, targetOf('sharedStrings') ?? 'xl/sharedStrings.xml'),
    dateStyles: await readStyles(zip, targetOf('styles') ?? 'xl/styles.xml'),
  })
  const blocks = readBlocks(zip.source(sheet.target).stream(), reader)
  const first = await blocks.next()
  const header = first.value?.shift()
  if (header === undefined) throw new InvalidFile('A primeira aba da planilha está vazia.')
  reader.columns = header.values.length
  for (const row of first.value ?? []) reader.pad(row)
  return {
    formato: 'xlsx',
    header: header.values,
    codificacao: null,
    delimitador: null,
    blocks: chain(first.value ?? [], blocks),
  }
}

async function* readBlocks(chunks: AsyncIterable<Buffer>, reader: SheetReader): AsyncGenerator<FileRow[]> {
  const xml = new XmlReader(reader)
  for await (const chunk of chunks) {
    xml.write(chunk)
    const rows = reader.take()
    if (rows.length > 0) yield rows
  }
  xml.end()
  const rows = reader.take()
  if (rows.length > 0) yield rows
}

async function* chain(firstRows: FileRow[], rest: AsyncGenerator<FileRow[]>): AsyncGenerator<FileRow[]> {
  if (firstRows.length > 0) yield firstRows
  yield* rest
}

/** Relationship ids of the visible sheets, in the order of the tabs. */
async function readWorkbook(zip: Zip): Promise<{ sheets: string[]; date1904: boolean }> {
  const sheets: string[] = []
  let date1904 = false
  await readPart(zip, WORKBOOK, (name, attributes) => {
    if (name === 'workbookPr') date1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
    if (name !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return
    const id = Object.keys(attributes).find((key) => key.includes(':') && localName(key) === 'id')
    if (id !== undefined) sheets.push(attributes[id] as string)
  })
  return { sheets, date1904 }
}

async function readRelations(zip: Zip): Promise<Map<string, { type: string; target: string }>> {
  const relations = new Map<string, { type: string; target: string }>()
  await readPart(zip, 'xl/_rels/workbook.xml.rels', (name, { Id, Type, Target, TargetMode }) => {
    if (name !== 'Relationship' || TargetMode === 'External') return
    if (Id === undefined || Type === undefined || Target === undefined) return
    // Relative to the workbook; an absolute one begins at the root of the ZIP.
    const target = posix.resolve('/xl', Target).slice(1)
    relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target })
  })
  return relations
}

/** Indexed by style: true where cells are dates. */
async function readStyles(zip: Zip, part: string): Promise<boolean[]> {
  if (!zip.has(part)) return []
  const codes = new Map<number, string>()
  const formats: number[] = []
  let inside = false
  await readPart(
    zip,
    part,
    (name, attributes) => {
      if (name === 'cellXfs') inside = true
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (name === 'xf' && inside) formats.push(Number(attributes.numFmtId ?? 0))
    },
    (name) => {
      if (name === 'cellXfs') inside = false
    },
  )
  // Evaluated once a format: many styles may share a long one.
  const isDate = new Map([...new Set(formats)].map((id) => [id, isDateFormat(id, codes.get(id))]))
  return formats.map((id) => isDate.get(id) === true)
}

/** Shared strings: the one part that has to be in memory, hence bounded. */
async function readStrings(zip: Zip, part: string): Promise<string[]> {
  if (!zip.has(part)) return []
  const strings: string[] = []
  let cost = 0
  let current = ''
  let inText = false
  let inPhonetic = false
  await readXml(zip.source(part).stream(), {
    open(name) {
      if (name === 'si') current = ''
      else if (name === 't') inText = true
      else if (name === 'rPh') inPhonetic = true
    },
    text(text) {
      if (inText && !inPhonetic) current += checkCost(text)
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'rPh') inPhonetic = false
      else if (name === 'si') {
        cost += STRING_COST
        strings.push(decodeEscapes(ownCopy(current)).trim())
        checkCost('')
      }
    },
  })
  return strings

  function checkCost(text: string): string {
    cost += text.length
    if (cost <= LIMITS.sharedStrings) return text
    throw new InvalidFile('A planilha tem texto demais para ser lida como XLSX. Salve-a como CSV.')
  }
}

/** Copies a slice: V8 keeps the whole parent string alive for slices of 13 characters or more. */
function ownCopy(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString()
}

async function readPart(
  zip: Zip,
  name: string,
  open: (name: string, attributes: Record<string, string>) => void,
  close: (name: string) => void = () => {},
): Promise<void> {
  await readXml(bounded(zip.source(name).stream()), { open, close, text() {} })
}

async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > PART_BYTES) throw new InvalidFile('A planilha tem definições internas demais.')
    yield chunk
  }
}
