import { constants, zstdCompressSync } from 'node:zlib'
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { FileContent } from './content.ts'

/** Rows that are encoded together. Bounds memory: a group is held as columns until it is complete. */
const ROW_GROUP = 15_000
/** A column of a group is one page: it is small enough, and the writer need not add up sizes to divide it. */
const ONE_PAGE = 0
/** Files are 3 % smaller than with the default (3), in about the same time. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 9 } }

/** Parquet with typed columns, a row group at a time. Repeated values are kept once by the dictionaries of a group. */
export async function* writeParquet({ colunas, blocks, metadata }: FileContent): AsyncGenerator<Buffer> {
  const bytes = new ByteWriter()
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(colunas),
    createdBy: 'vigia',
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, ZSTD) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key: `vigia.${key}`, value })),
  })
  const group = colunas.map(createColumn)
  let rows = 0
  for await (const block of blocks) {
    for (const [i, column] of group.entries()) for (const row of block) column.add(row[i] ?? null)
    rows += block.length
    if (rows < ROW_GROUP) continue
    yield await encoded()
    rows = 0
  }
  if (rows > 0) yield await encoded()
  await file.finish()
  yield taken(bytes)

  async function encoded(): Promise<Buffer> {
    await file.write({
      columnData: group.map((column) => column.take()),
      rowGroupSize: rows,
      pageSize: ONE_PAGE,
    })
    return taken(bytes)
  }
}

const DAY_MS = 86_400_000

/** Times as numbers, days or milliseconds since 1970: the writer compares numbers far faster than dates. */
const NUMBERS: Partial<Record<FileColumn['kind'], (text: string) => number>> = {
  date: (text) => Date.parse(text) / DAY_MS,
  moment: (text) => Date.parse(text),
}

/**
 * Values of a column, one row group after the other. Equal texts are one object: rows of a database repeat few of them. Texts have no
 * statistics, the least and the greatest of a group: comparing them takes a tenth of an export, and few questions of analysts use them.
 */
function createColumn({ nome, kind }: FileColumn) {
  const toValue = NUMBERS[kind] ?? String
  const known = new Map<string | number, string | number>()
  let data: CellValue[] = []
  let present = 0
  const shared = (value: string | number) => {
    const found = known.get(value)
    if (found !== undefined) return found
    const converted = typeof value === 'string' ? toValue(value) : value
    known.set(value, converted)
    return converted
  }
  return {
    /** Values since the last call. */
    take(): ColumnSource {
      const source = {
        ...{ name: nome, data, statistics: kind !== 'text' },
        ...(present > 0 && encodingOf(kind, known.size / present)),
      }
      data = []
      known.clear()
      present = 0
      return source
    },
    add(value: CellValue): void {
      if (value !== null) present += 1
      const isKept = typeof value === 'string' || (kind === 'integer' && typeof value === 'number')
      data.push(isKept ? shared(value) : value)
    },
  }
}

/**
 * Encoding where the writer's own choice is larger. Days follow each other in an export, ids too: their differences are small. Codes of
 * places repeat, which the writer does not see in its sample of a column.
 */
function encodingOf(kind: FileColumn['kind'], variety: number): Pick<ColumnSource, 'encoding'> {
  if (kind === 'date') return { encoding: 'DELTA_BINARY_PACKED' }
  if (kind === 'integer') return { encoding: variety > 0.5 ? 'DELTA_BINARY_PACKED' : 'RLE_DICTIONARY' }
  return {}
}

/** Bytes written since the last call; the writer goes on counting from the beginning of the file. */
function taken(bytes: ByteWriter): Buffer {
  const copy = Buffer.from(bytes.getBytes())
  bytes.index = 0
  return copy
}

const TYPES: Record<FileColumn['kind'], Partial<SchemaElement>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE' },
  moment: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
}

const schemaOf = (colunas: readonly FileColumn[]): SchemaElement[] => [
  { name: 'casos', num_children: colunas.length },
  ...colunas.map(({ nome, kind }) => ({ name: nome, repetition_type: 'OPTIONAL' as const, ...TYPES[kind] })),
]
