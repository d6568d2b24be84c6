import { type CellValue, csvLine } from '../../arquivos/csv.ts'
import type { FileContent } from '../content.ts'
import { isLatin1, toLatin1 } from './latin1.ts'

/** CSV in Latin-1 without a byte order mark, as SINAN writes its own. */
export async function* writeCsvSinan({ colunas, blocks }: FileContent): AsyncGenerator<Buffer> {
  yield toBytes([colunas.map(({ nome }) => nome)])
  for await (const block of blocks) yield toBytes(block)
}

/** Cells are converted before they are escaped: a typographic quote becomes one that needs it, a full-width sign one of a formula. */
function toBytes(rows: readonly CellValue[][]): Buffer {
  const text = rows.map(csvLine).join('')
  const written = isLatin1(text) ? text : rows.map((row) => csvLine(row.map(toCell))).join('')
  return Buffer.from(written, 'latin1')
}

const toCell = (value: CellValue): CellValue => (typeof value === 'string' ? toLatin1(value) : value)
