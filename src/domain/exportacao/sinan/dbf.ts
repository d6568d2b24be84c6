import { Readable } from 'node:stream'
import { Compression, DictionarySize, implode, stream } from 'node-pkware'
import type { FileColumn } from '../../arquivos/csv.ts'
import type { FileContent } from '../content.ts'
import { toLatin1 } from './latin1.ts'

/**
 * DBF as DATASUS publishes it: dBase III, texts in Latin-1, dates as `YYYYMMDD`, blanks for what is not known. The header tells the
 * number of records, so it has to be known before the first of them.
 */

const VERSION = 0x03
const HEADER_BYTES = 32
const FIELD_BYTES = 32
const END_OF_FIELDS = 0x0d
const END_OF_FILE = 0x1a
/** Old readers take offsets for signed numbers of 32 bits. */
const MAX_BYTES = 2 ** 31 - 1

const TYPES: Partial<Record<FileColumn['kind'], string>> = { date: 'D', integer: 'N' }
const typeOf = ({ kind }: FileColumn) => TYPES[kind] ?? 'C'
const widthOf = ({ width = 0 }: FileColumn) => width

const headerSize = (colunas: readonly FileColumn[]) => HEADER_BYTES + FIELD_BYTES * colunas.length + 1
/** The first byte of a record marks deleted ones. */
const recordSize = (colunas: readonly FileColumn[]) =>
  colunas.reduce((sum, column) => sum + widthOf(column), 1)

export const maxDbfRows = (colunas: readonly FileColumn[]): number =>
  Math.floor((MAX_BYTES - headerSize(colunas) - 1) / recordSize(colunas))

export async function* writeDbf(content: FileContent): AsyncGenerator<Buffer> {
  yield headerOf(content)
  yield* recordsOf(content)
}

const CHECKSUM = Buffer.alloc(4)

/** DBC of DATASUS: the header of a DBF, four bytes whose meaning is unpublished and that readers skip, the records imploded. */
export async function* writeDbc(content: FileContent): AsyncGenerator<Buffer> {
  yield headerOf(content)
  yield CHECKSUM
  if (content.total === 0) yield* noRecordsOf(content)
  else yield* imploded(content)
}

/** The end of a file alone, imploded: the library makes no stream that can be read of fewer than three bytes. */
const IMPLODED_END = Buffer.from([0x00, 0x06, 0x34, 0x02, 0xfe, 0x01])

async function* noRecordsOf({ blocks }: FileContent): AsyncGenerator<Buffer> {
  // Read nevertheless: whoever counts the rows may find some.
  for await (const _ of blocks);
  yield IMPLODED_END
}

async function* imploded(content: FileContent): AsyncGenerator<Buffer> {
  const records = Readable.from(recordsOf(content), { objectMode: false })
  const compressor = stream.through(implode(Compression.Binary, DictionarySize.Large))
  records.on('error', (error) => compressor.destroy(error))
  yield* records.pipe(compressor) as AsyncIterable<Buffer>
}

function headerOf({ colunas, total }: FileContent): Buffer {
  const header = Buffer.alloc(headerSize(colunas))
  header[0] = VERSION
  // The day of the last change: a fixed one, so that the same cases are the same bytes.
  header.set([0, 1, 1], 1)
  header.writeUInt32LE(total, 4)
  header.writeUInt16LE(header.length, 8)
  header.writeUInt16LE(recordSize(colunas), 10)
  colunas.forEach((column, i) => {
    const at = HEADER_BYTES + FIELD_BYTES * i
    header.write(column.nome, at, 10, 'latin1')
    header.write(typeOf(column), at + 11, 'latin1')
    header[at + 16] = widthOf(column)
  })
  header[header.length - 1] = END_OF_FIELDS
  return header
}

async function* recordsOf({ colunas, blocks }: FileContent): AsyncGenerator<Buffer> {
  const size = recordSize(colunas)
  const cells = cellsOf(colunas)
  for await (const block of blocks) {
    const records = Buffer.alloc(size * block.length, ' ')
    for (let j = 0; j < cells.length; j++) {
      const write = cells[j] as WriteCell
      for (let i = 0; i < block.length; i++) {
        const value = block[i]?.[j] ?? null
        if (value !== null) write(records, i * size, String(value))
      }
    }
    yield records
  }
  yield Buffer.of(END_OF_FILE)
}

/** Writes a text into the blank record that begins there. */
type WriteCell = (records: Buffer, record: number, text: string) => void

function cellsOf(colunas: readonly FileColumn[]): WriteCell[] {
  let next = 1
  return colunas.map((column) => {
    const at = next
    next += widthOf(column)
    return cellWriter(column, at)
  })
}

/** Texts begin at the left of their column, numbers end at its right. */
function cellWriter(column: FileColumn, at: number): WriteCell {
  const width = widthOf(column)
  if (column.kind === 'date') return (records, record, text) => writeDate(records, text, record + at)
  if (column.kind !== 'integer')
    return (records, record, text) => writeText(records, text, record + at, width)
  return (records, record, text) => {
    const blanks = Math.max(0, width - text.length)
    writeText(records, text, record + at + blanks, width - blanks)
  }
}

/** `2024-02-29` without its signs. */
function writeDate(records: Buffer, text: string, at: number): void {
  for (let i = 0; i < DIGITS_OF_DATE.length; i++)
    records[at + i] = text.charCodeAt(DIGITS_OF_DATE[i] as number)
}

const DIGITS_OF_DATE = [0, 1, 2, 3, 5, 6, 8, 9]

/** Copies plain letters one by one, which is nearly every text; one with any other is written as Latin-1. */
function writeText(records: Buffer, text: string, at: number, width: number): void {
  const length = Math.min(text.length, width)
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) {
      records.write(toLatin1(text).replace(CONTROLS, ' '), at, width, 'latin1')
      return
    }
    records[at + i] = code
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const CONTROLS = /[\x00-\x1f\x7f]/g
