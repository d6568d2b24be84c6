// Parquet as the readers of Arrow read it: parquet-wasm (the implementation in Rust) into tables of apache-arrow.
import { tableFromIPC } from 'apache-arrow'
import { readParquet } from 'parquet-wasm/node'

type Row = Record<string, unknown>

/** Rows of an exported file; dates in ISO 8601. */
export function rowsByArrow(file: Buffer): Row[] {
  const table = tableFromIPC(readParquet(file).intoIPCStream())
  const columns = table.schema.fields.map(({ name, type }) => {
    const cells: unknown[] = [...(table.getChild(name) ?? [])]
    return { name, cells: String(type).startsWith('Date') ? cells.map(toDay) : cells }
  })
  return Array.from({ length: table.numRows }, (_, i) =>
    Object.fromEntries(columns.map(({ name, cells }) => [name, cells[i] ?? null])),
  )
}

const toDay = (cell: unknown) => (cell === null ? null : new Date(Number(cell)).toISOString().slice(0, 10))
