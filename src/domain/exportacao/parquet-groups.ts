import { constants, zstdCompressSync } from 'node:zlib'
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'

/** Row groups into the bytes of a Parquet file, in the thread of the export or in one beside it. */

/** Rows of a file that are encoded together, column by column. */
export interface RowGroup {
  rows: number
  columns: PackedColumn[]
}

export interface PackedColumn {
  /** Of each row in `values`, counted from 1; 0 where there is none. May be longer than the group. */
  positions: Uint16Array
  /** Each value that occurs, once. */
  values: CellValue[]
}

/** Table that a file is of. */
export interface ParquetTable {
  colunas: readonly FileColumn[]
  /** Facts about the file. */
  metadata: Readonly<Record<string, string>>
}

export interface GroupEncoder {
  /** Bytes of the file as far as this group. */
  write(group: RowGroup): Promise<Uint8Array>
  /** The last bytes. */
  finish(): Promise<Uint8Array>
  /** Releases what it holds, finished or not. */
  end(): Promise<void>
}

export type CreateGroupEncoder = (table: ParquetTable) => GroupEncoder

/** An encoder in this thread. */
export function createGroupEncoder(table: ParquetTable): GroupEncoder {
  const encode = groupEncoding(table)
  return { write: async (group) => encode(group), finish: async () => encode(null), end: async () => {} }
}

/** A column of a group is one page: it is small enough, and the writer need not add up sizes to divide it. */
const ONE_PAGE = 0
/** Files are 3 % smaller than with the default (3), in about the same time. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 9 } }

/** Compiles the encoding of a file; null ends it. The writer keeps repeated values once, in the dictionaries of a group. */
export function groupEncoding({ colunas, metadata }: ParquetTable): (group: RowGroup | null) => Uint8Array {
  const bytes = new ByteWriter()
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(colunas),
    createdBy: 'vigia',
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes, ZSTD) },
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key: `vigia.${key}`, value })),
  })
  return (group) => {
    if (group === null) {
      file.finish()
      return file.row_groups.length === 0 ? withTypedGroups(taken(bytes)) : taken(bytes)
    }
    file.write({
      columnData: colunas.map((column, i) => sourceOf(column, group.columns[i] as PackedColumn, group.rows)),
      rowGroupSize: group.rows,
      pageSize: ONE_PAGE,
    })
    return taken(bytes)
  }
}

/** In the footer, as Thrift has it: no rows, then an empty list of row groups. */
const NO_ROWS = [0x16, 0x00]
const OF_NOTHING = [0x19, 0x00]
const OF_STRUCTS = [0x19, 0x0c]

/** A file without rows: the writer gives its empty list of row groups no type, which the reader of Arrow in Rust refuses. */
function withTypedGroups(footer: Uint8Array): Uint8Array {
  const at = Buffer.from(footer.buffer).indexOf(Buffer.from([...NO_ROWS, ...OF_NOTHING]))
  if (at !== -1) footer.set(OF_STRUCTS, at + NO_ROWS.length)
  return footer
}

const DAY_MS = 86_400_000

/** Times as numbers, days or milliseconds since 1970: the writer compares numbers far faster than dates. */
const NUMBERS: Partial<Record<FileColumn['kind'], (text: string) => number>> = {
  date: (text) => Date.parse(text) / DAY_MS,
  moment: (text) => Date.parse(text),
}

/**
 * A column of the writer, which asks for its values when its turn has come: one at a time is held as an array. Texts have no statistics,
 * the least and the greatest of a group: comparing them takes a tenth of an export, and few questions of analysts use them.
 */
function sourceOf({ nome, kind }: FileColumn, column: PackedColumn, rows: number): ColumnSource {
  const present = column.positions.subarray(0, rows).reduce((sum, position) => sum + Math.min(position, 1), 0)
  return {
    name: nome,
    get data() {
      return valuesOf(kind, column, rows)
    },
    statistics: kind !== 'text',
    ...(present > 0 && encodingOf(kind, column.values.length / present)),
  }
}

/** Values row by row; equal ones are one object. */
function valuesOf(kind: FileColumn['kind'], { positions, values }: PackedColumn, rows: number): CellValue[] {
  const toNumber = NUMBERS[kind]
  const known = [null, ...(toNumber === undefined ? values : values.map((text) => toNumber(text as string)))]
  const data: CellValue[] = []
  for (let i = 0; i < rows; i++) data.push(known[positions[i] as number] as CellValue)
  return data
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

/** Bytes written since the last call, in memory of their own; the writer goes on counting from the beginning of the file. */
function taken(bytes: ByteWriter): Uint8Array {
  const copy = new Uint8Array(bytes.getBuffer())
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
