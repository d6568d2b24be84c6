import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { FileContent } from './content.ts'

/** Rows that are encoded together. Bounds memory: a group is held as columns until it is complete. */
const ROW_GROUP = 20_000

/** Parquet with typed columns, a row group at a time. Repeated values are kept once by the dictionaries of a group. */
export async function* writeParquet({ colunas, blocks, metadata }: FileContent): AsyncGenerator<Buffer> {
  const bytes = new ByteWriter()
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(colunas),
    createdBy: 'vigia',
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key: `vigia.${key}`, value })),
  })
  let group = colunas.map(createColumn)
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
    await file.write({ columnData: group.map(({ source }) => source), rowGroupSize: rows })
    group = colunas.map(createColumn)
    return taken(bytes)
  }
}

const DAY_MS = 86_400_000

/** Times as numbers, days or milliseconds since 1970: the writer compares numbers far faster than dates. */
const NUMBERS: Partial<Record<FileColumn['kind'], (text: string) => number>> = {
  date: (text) => Date.parse(text) / DAY_MS,
  moment: (text) => Date.parse(text),
}

/** Values of a column of one row group. Equal texts are one object: rows of a database repeat few of them. */
function createColumn({ nome, kind }: FileColumn) {
  const toValue = NUMBERS[kind] ?? String
  const known = new Map<string, string | number>()
  const data: CellValue[] = []
  const shared = (text: string) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = toValue(text)
    known.set(text, value)
    return value
  }
  return {
    source: { name: nome, data },
    add(value: CellValue): void {
      data.push(typeof value === 'string' ? shared(value) : value)
    },
  }
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
