import type { FileRow, FileSource, FileTable } from './table.ts'
import { InvalidFile, LIMITS, tooManyRowsMessage } from './table.ts'
import { decodeWindows1252 } from './text.ts'

/**
 * DBF reader over a stream of bytes. Hand-written because libraries want a file path, while these bytes come from
 * encrypted pieces or a decompressor, and because headers lie: every number in them is checked against the file.
 */

interface DbfField {
  name: string
  type: string
  from: number
  to: number
}

export interface DbfHeader {
  recordCount: number
  headerSize: number
  recordSize: number
  fields: DbfField[]
}

const VERSIONS = new Set([
  0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x7b, 0x83, 0x8b, 0x8e, 0xcb, 0xe5, 0xf5, 0xfb,
])
const BYTES_PER_BLOCK = 512 * 1024
const ROWS_PER_BLOCK = 2_000
const LIVE = 0x20
const DELETED = 0x2a

/** True for the first bytes of a DBF, or of a DBC, which begins alike; the numbers in them may still be wrong. */
export function looksLikeDbf(start: Buffer): boolean {
  if (start.length < 64 || !VERSIONS.has(start[0] as number)) return false
  // A date and numbers with zeros in them: bytes that no text file has there.
  if ((start[2] as number) > 12 || (start[3] as number) > 31 || !start.subarray(4, 32).includes(0))
    return false
  const name = start.toString('latin1', 32, 43).split('\0')[0] as string
  return /^[A-Za-z_\x80-\xff][ -~\x80-\xff]*$/.test(name) && /[A-Z0@+]/.test(readType(start, 32))
}

export async function readDbfHeader(source: FileSource): Promise<DbfHeader> {
  const fixed = await source.readAt(0, 32)
  const recordCount = fixed.readUInt32LE(4)
  const headerSize = fixed.readUInt16LE(8)
  const recordSize = fixed.readUInt16LE(10)
  if (headerSize < 64 || headerSize > source.size) {
    throw wrongHeader(`diz que o cabeçalho tem ${headerSize} bytes, e o arquivo tem ${source.size} bytes`)
  }
  if (recordSize < 2) throw wrongHeader(`diz que cada registro tem ${recordSize} bytes`)
  if (recordCount > LIMITS.rows) throw new InvalidFile(tooManyRowsMessage())
  const fields = readFields(await source.readAt(0, headerSize), recordSize)
  return { recordCount, headerSize, recordSize, fields }
}

export async function openDbf(source: FileSource): Promise<FileTable> {
  const header = await readDbfHeader(source)
  const { recordCount, headerSize, recordSize } = header
  const fitting = Math.floor((source.size - headerSize) / recordSize)
  if (fitting < recordCount) throw truncated(recordCount, fitting)
  return createDbfTable('dbf', header, skipBytes(source.stream(), headerSize))
}

/** Table over the bytes of the records, plain or decompressed. */
export function createDbfTable(
  formato: 'dbf' | 'dbc',
  header: DbfHeader,
  bytes: AsyncIterable<Buffer>,
): FileTable {
  return {
    formato,
    header: header.fields.map(({ name }) => name),
    codificacao: 'windows-1252',
    delimitador: null,
    blocks: readBlocks(header, bytes),
  }
}

/** Stops at the announced number of records: the end mark or foreign bytes follow. */
async function* readBlocks(header: DbfHeader, bytes: AsyncIterable<Buffer>): AsyncGenerator<FileRow[]> {
  const { recordCount, recordSize } = header
  const perBlock = Math.max(1, Math.min(ROWS_PER_BLOCK, Math.floor(BYTES_PER_BLOCK / recordSize)))
  let rest: Buffer = Buffer.alloc(0)
  let read = 0
  if (recordCount === 0) return
  for await (const chunk of bytes) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let from = 0
    while (read < recordCount && data.length - from >= recordSize) {
      const count = Math.min(perBlock, recordCount - read, Math.floor((data.length - from) / recordSize))
      const to = from + count * recordSize
      const rows = readRecords(header, data.subarray(from, to), read)
      if (rows.length > 0) yield rows
      read += count
      from = to
    }
    if (read === recordCount) return
    rest = data.subarray(from)
  }
  throw truncated(recordCount, read)
}

function readRecords(header: DbfHeader, data: Buffer, before: number): FileRow[] {
  const { recordSize, fields } = header
  const text = decodeWindows1252(data)
  const rows: FileRow[] = []
  for (let from = 0, n = before; from < data.length; from += recordSize, n++) {
    const mark = data[from]
    if (mark === DELETED) continue
    if (mark !== LIVE) throw damaged(n + 1)
    const values = fields.map(({ type, from: a, to: b }) => readValue(type, text.slice(from + a, from + b)))
    rows.push({ line: n + 2, values })
  }
  return rows
}

function readValue(type: string, raw: string): string {
  // Some programs pad with NUL, which no text of ours may hold.
  const text = (raw.includes('\0') ? raw.replaceAll('\0', ' ') : raw).trim()
  if (text === '') return ''
  if (type === 'D') return /^[0*\s/-]*$/.test(text) ? '' : text
  // A number that did not fit its column is written as asterisks.
  if (type === 'N' || type === 'F') return /^\*+$/.test(text) ? '' : text
  if (type === 'L') return text === '?' ? '' : text
  return text
}

/** Some files lack the 0x0D that ends the descriptors: the header length ends them too. */
function readFields(bytes: Buffer, recordSize: number): DbfField[] {
  const descriptors: Buffer[] = []
  for (let i = 32; i + 32 <= bytes.length && bytes[i] !== 0x0d; i += 32) {
    descriptors.push(bytes.subarray(i, i + 32))
  }
  if (descriptors.length === 0) throw wrongHeader('não descreve nenhuma coluna')
  if (descriptors.length > LIMITS.columns) {
    throw new InvalidFile(`O arquivo tem ${descriptors.length} colunas; o máximo é ${LIMITS.columns}.`)
  }
  const plain = placeFields(descriptors, (d) => d[16] as number)
  if (endOf(plain) === recordSize) return plain
  // Clipper and FoxPro keep the high byte of a long text column where the decimals would be.
  const long = placeFields(descriptors, (d) => (readType(d, 0) === 'C' ? d.readUInt16LE(16) : (d[16] ?? 0)))
  if (endOf(long) === recordSize) return long
  if (endOf(plain) > recordSize) {
    throw wrongHeader(`descreve colunas que somam ${endOf(plain)} bytes em registros de ${recordSize} bytes`)
  }
  return plain
}

function placeFields(descriptors: Buffer[], size: (descriptor: Buffer) => number): DbfField[] {
  let from = 1 // The first byte marks deleted records.
  return descriptors.map((descriptor) => {
    const name = decodeWindows1252(descriptor.subarray(0, 11)).split('\0')[0] as string
    const field = { name: name.trim(), type: readType(descriptor, 0), from, to: from + size(descriptor) }
    from = field.to
    return field
  })
}

function endOf(fields: DbfField[]): number {
  return fields.at(-1)?.to ?? 0
}

function readType(bytes: Buffer, descriptor: number): string {
  return String.fromCharCode(bytes[descriptor + 11] ?? 0).toUpperCase()
}

export async function* skipBytes(chunks: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let missing = count
  for await (const chunk of chunks) {
    if (chunk.length > missing) yield missing > 0 ? chunk.subarray(missing) : chunk
    missing = Math.max(0, missing - chunk.length)
  }
}

function wrongHeader(what: string): InvalidFile {
  return new InvalidFile(`O cabeçalho do arquivo DBF/DBC está errado: ${what}.`)
}

function truncated(announced: number, present: number): InvalidFile {
  const [n, m] = [announced, present].map((x) => x.toLocaleString('pt-BR'))
  return new InvalidFile(
    `O arquivo termina antes do fim: o cabeçalho anuncia ${n} registros e há ${m}. Baixe-o ou exporte-o de novo.`,
  )
}

function damaged(record: number): InvalidFile {
  return new InvalidFile(
    `O registro ${record.toLocaleString('pt-BR')} do arquivo DBF/DBC está danificado (não começa com a marca de registro).`,
  )
}
