import { type CellValue, csvLine, type FileColumn } from '../arquivos/csv.ts'
import { writeXlsx } from './xlsx.ts'

export const FORMATOS_DE_EXPORTACAO = ['csv', 'xlsx', 'json'] as const
export type FormatoDeExportacao = (typeof FORMATOS_DE_EXPORTACAO)[number]

export const FILE_TYPES: Record<FormatoDeExportacao, { tipo: string; extension: string }> = {
  csv: { tipo: 'text/csv; charset=utf-8', extension: 'csv' },
  xlsx: {
    tipo: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
  json: { tipo: 'application/x-ndjson; charset=utf-8', extension: 'jsonl' },
}

/** Encodes blocks of rows as a stream of bytes. */
export function encodeRows(
  formato: FormatoDeExportacao,
  colunas: readonly FileColumn[],
  blocks: AsyncIterable<CellValue[][]>,
): AsyncIterable<Buffer> {
  if (formato === 'xlsx') return writeXlsx(colunas, blocks)
  const names = colunas.map(({ nome }) => nome)
  return formato === 'csv' ? csvOf(names, blocks) : jsonOf(names, blocks)
}

/** CSV with a byte order mark, by which spreadsheets recognise UTF-8. */
async function* csvOf(
  colunas: readonly string[],
  blocks: AsyncIterable<CellValue[][]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${csvLine(colunas)}`)
  for await (const block of blocks) yield Buffer.from(block.map(csvLine).join(''))
}

async function* jsonOf(
  colunas: readonly string[],
  blocks: AsyncIterable<CellValue[][]>,
): AsyncGenerator<Buffer> {
  const objectOf = (row: CellValue[]) =>
    Object.fromEntries(colunas.map((column, i) => [column, row[i] ?? null]))
  for await (const block of blocks)
    yield Buffer.from(block.map((row) => `${JSON.stringify(objectOf(row))}\n`).join(''))
}
