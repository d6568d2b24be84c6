import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { FileContent } from './content.ts'

/** Rows that are encoded together. Bounds memory: a group is held as columns until it is complete. */
const ROW_GROUP = 50_000

/** Parquet with typed columns, a row group at a time. Repeated values are kept once by the dictionaries of a group. */
export async function* writeParquet({ colunas, blocks, metadata }: FileContent): AsyncGenerator<Buffer> {
  const bytes = new ByteWriter()
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaOf(colunas),
    createdBy: 'vigia',
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key: `vigia.${key}`, value })),
  })
  for await (const rows of inGroups(blocks)) {
    await file.write({
      columnData: colunas.map((column, i) => toSource(column, rows, i)),
      rowGroupSize: ROW_GROUP,
    })
    yield taken(bytes)
  }
  await file.finish()
  yield taken(bytes)
}

async function* inGroups(blocks: AsyncIterable<CellValue[][]>): AsyncGenerator<CellValue[][]> {
  let rows: CellValue[][] = []
  for await (const block of blocks) {
    rows.push(...block)
    if (rows.length < ROW_GROUP) continue
    yield rows.slice(0, ROW_GROUP)
    rows = rows.slice(ROW_GROUP)
  }
  if (rows.length > 0) yield rows
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

const isTime = ({ kind }: FileColumn) => kind === 'date' || kind === 'moment'

function toSource(column: FileColumn, rows: CellValue[][], i: number): ColumnSource {
  const toValue = isTime(column) ? timeOf : (value: CellValue) => value
  return { name: column.nome, data: rows.map((row) => toValue(row[i] ?? null)) }
}

const timeOf = (value: CellValue): Date | null => (value === null ? null : new Date(String(value)))
