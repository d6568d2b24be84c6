import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { FileContent, FileFormat } from '../content.ts'
import { FORMATS, writeCsv } from '../formats.ts'

/** Name of the risk sheet: a fact of the file in Parquet, a file beside the table in the ZIP. */
export const RISCO = 'risco'

/** CSV has no place for a risk sheet: the table and its sheet are two files of a ZIP. */
async function* writeZip(content: FileContent): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const table = Readable.from(writeCsv(content), { objectMode: false })
  table.on('error', (error) => (zip.outputStream as unknown as Readable).destroy(error))
  zip.addBuffer(Buffer.from(`${content.metadata[RISCO]}\n`), `${RISCO}.json`)
  zip.addReadStream(table, 'casos.csv')
  zip.end()
  yield* zip.outputStream as AsyncIterable<Buffer>
}

export const FORMATOS_DE_EXTRATO = ['csv', 'parquet'] as const
export type FormatoDeExtrato = (typeof FORMATOS_DE_EXTRATO)[number]

export const EXTRATO_FORMATS: Record<FormatoDeExtrato, FileFormat> = {
  csv: { tipo: 'application/zip', extension: 'zip', encode: writeZip },
  parquet: FORMATS.parquet,
}
