import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Filter } from '../../filter.ts'
import { type CellValue, csvLine } from '../arquivos/csv.ts'
import type { FileContent, FileFormat } from './content.ts'
import { writeParquet } from './parquet.ts'
import { writeCsvSinan } from './sinan/csv.ts'
import { maxDbfRows, writeDbc, writeDbf } from './sinan/dbf.ts'
import { MAX_ROWS, writeXlsx } from './xlsx.ts'

/** CSV with a byte order mark, by which spreadsheets recognise UTF-8. */
export async function* writeCsv({ colunas, blocks }: FileContent): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${csvLine(colunas.map(({ nome }) => nome))}`)
  for await (const block of blocks) yield Buffer.from(block.map(csvLine).join(''))
}

async function* writeJsonLines({ colunas, blocks }: FileContent): AsyncGenerator<Buffer> {
  const objectOf = (row: CellValue[]) =>
    Object.fromEntries(colunas.map(({ nome }, i) => [nome, row[i] ?? null]))
  for await (const block of blocks)
    yield Buffer.from(block.map((row) => `${JSON.stringify(objectOf(row))}\n`).join(''))
}

const DBF = { maxRows: maxDbfRows, tellsTotal: true } as const

export const FORMATS = {
  csv: { tipo: 'text/csv; charset=utf-8', extension: 'csv', encode: writeCsv },
  xlsx: {
    tipo: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    encode: ({ colunas, blocks }) => writeXlsx(colunas, blocks),
    maxRows: () => MAX_ROWS - 1,
  },
  json: { tipo: 'application/x-ndjson; charset=utf-8', extension: 'jsonl', encode: writeJsonLines },
  parquet: { tipo: 'application/vnd.apache.parquet', extension: 'parquet', encode: writeParquet },
  csv_sinan: { tipo: 'text/csv; charset=iso-8859-1', extension: 'csv', encode: writeCsvSinan },
  dbf: { tipo: 'application/vnd.dbf', extension: 'dbf', encode: writeDbf, ...DBF },
  dbc: { tipo: 'application/octet-stream', extension: 'dbc', encode: writeDbc, ...DBF },
} as const satisfies Record<string, FileFormat>

export type FormatoDeExportacao = keyof typeof FORMATS
export const FORMATOS_DE_CASOS = Object.keys(FORMATS) as FormatoDeExportacao[]
export const FORMATOS_DE_TABELA = ['csv', 'xlsx', 'json'] as const satisfies FormatoDeExportacao[]
const SINAN: readonly FormatoDeExportacao[] = ['csv_sinan', 'dbf', 'dbc']
export const isSinanFormat = (formato: FormatoDeExportacao): boolean => SINAN.includes(formato)
/** Texts, which gzip makes a sixth of (77.7 of 476.4 MB, a million cases); the other formats are compressed by themselves, or read by programs that expect them plain. */
export const COMPRESSIBLE: readonly FormatoDeExportacao[] = ['csv', 'json', 'csv_sinan']

export const COMPACTACOES = ['gzip'] as const
export type Compactacao = (typeof COMPACTACOES)[number]

const GZIP = 'application/gzip'
/** Media types of all files that an export can be; a research extract in CSV is a ZIP. */
export const MEDIA_TYPES = [
  ...new Set([
    ...Object.values(FORMATS).map(({ tipo }) => tipo.split(';')[0] as string),
    GZIP,
    'application/zip',
  ]),
]

/** File that a request asks for. */
export interface ExportRequest {
  formato: FormatoDeExportacao
  compactacao: Compactacao | null
  filter: Filter
}

/** Format of a file, with the compression that was asked for. */
export function formatOf({ formato, compactacao = null }: ExportRequest): FileFormat {
  const format: FileFormat = FORMATS[formato]
  if (compactacao === null) return format
  return {
    ...format,
    tipo: GZIP,
    extension: `${format.extension}.gz`,
    encode: (content) => compressed(format.encode(content)),
  }
}

function compressed(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const source = Readable.from(bytes, { objectMode: false })
  const gzip = createGzip()
  source.on('error', (error) => gzip.destroy(error))
  return source.pipe(gzip)
}

/** Format of an export, for its audit entry. */
export const toldFormat = ({ formato, compactacao = null }: ExportRequest) => ({
  formato,
  ...(compactacao && { compactacao }),
})
