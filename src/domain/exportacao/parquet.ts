import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { FileContent } from './content.ts'
import { createGroupEncoder, type PackedColumn, type RowGroup } from './parquet-groups.ts'

/** Rows that are encoded together. Bounds memory: a group is held as columns until it is complete. Fewer than a position can tell apart. */
const ROW_GROUP = 15_000

/** Parquet with typed columns, a row group at a time: one is encoded while the rows of the next are collected. */
export async function* writeParquet(content: FileContent): AsyncGenerator<Buffer> {
  const { colunas, blocks, metadata, createEncoder = createGroupEncoder } = content
  const encoder = createEncoder({ colunas, metadata })
  try {
    let encoding: Promise<Uint8Array> | null = null
    for await (const group of inGroups(colunas, blocks)) {
      if (encoding !== null) yield toBuffer(await encoding)
      encoding = encoder.write(group)
      // Handled when awaited; the rows may fail before.
      encoding.catch(() => {})
    }
    if (encoding !== null) yield toBuffer(await encoding)
    yield toBuffer(await encoder.finish())
  } finally {
    await encoder.end()
  }
}

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

async function* inGroups(
  colunas: readonly FileColumn[],
  blocks: AsyncIterable<CellValue[][]>,
): AsyncGenerator<RowGroup> {
  const columns = colunas.map((_, index) => createColumn(index))
  let rows = 0
  const take = (): RowGroup => {
    const group = { rows, columns: columns.map((column) => column.take()) }
    rows = 0
    return group
  }
  for await (const block of blocks)
    for (let start = 0; start < block.length; ) {
      const part = block.slice(start, start + ROW_GROUP - rows)
      for (const column of columns) column.add(part, rows)
      rows += part.length
      start += part.length
      if (rows === ROW_GROUP) yield take()
    }
  if (rows > 0) yield take()
}

/** Collects the cells of a column. Each value is kept once, its rows as small numbers: rows of a database repeat few values. */
function createColumn(index: number) {
  const known = new Map<CellValue, number>()
  let positions = new Uint16Array(ROW_GROUP)
  const positionOf = (value: CellValue): number => {
    const found = known.get(value)
    if (found !== undefined) return found
    const next = known.size + 1
    known.set(value, next)
    return next
  }
  return {
    add(rows: CellValue[][], at: number): void {
      for (let i = 0; i < rows.length; i++) {
        const value = rows[i]?.[index] ?? null
        if (value !== null) positions[at + i] = positionOf(value)
      }
    },
    /** Cells since the last call. */
    take(): PackedColumn {
      const column = { positions, values: [...known.keys()] }
      positions = new Uint16Array(ROW_GROUP)
      known.clear()
      return column
    },
  }
}
