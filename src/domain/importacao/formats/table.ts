import type { Encoding, TextCheck } from './encoding.ts'

/** Random access and repeatable streams over a file that is never in memory as a whole. */
export interface FileSource {
  size: number
  /** Set where the bytes were already scanned on their way in. */
  text?: TextCheck
  stream(): AsyncIterable<Buffer>
  readAt(offset: number, length: number): Promise<Buffer>
}

export const FORMATOS = ['csv', 'xlsx', 'dbf', 'dbc'] as const
export type Formato = (typeof FORMATOS)[number]

export interface FileRow {
  /** Line in the file, the header being 1 (CSV: where the record begins; DBF: number of the record plus one). */
  line: number
  /** Trimmed texts; there may be fewer or more than the header has. */
  values: string[]
}

/** A file of any format, as a header and rows. */
export interface FileTable {
  formato: Formato
  header: string[]
  /** Encoding of its texts; null where the format itself decides. */
  codificacao: Encoding | null
  /** Of CSV. */
  delimitador: string | null
  /** Rows in blocks: one promise a block, not a row. Can be read once. */
  blocks: AsyncIterable<FileRow[]>
}

/** Unreadable file. The message is shown to the sender, in Portuguese. */
export class InvalidFile extends Error {
  readonly code: 'INVALID_FILE' | 'WITHOUT_DISEASE'

  constructor(message: string, code: InvalidFile['code'] = 'INVALID_FILE') {
    super(message)
    this.code = code
  }
}

/** Bounds of memory, time and storage that no honest file exceeds. */
export const LIMITS = {
  columns: 1_000,
  charactersPerRow: 1_000_000,
  rows: 10_000_000,
  /** Lines of text, more than rows, since a record may hold line breaks; line numbers are stored as integers. */
  lines: 20_000_000,
  /** Rows at the beginning of which none could be a case, after which the file is taken for something else. */
  rowsWithoutCaso: 10_000,
  /** Size of a compressed file after decompression. */
  expandedBytes: 8 * 1024 ** 3,
  compressionRatio: 200,
  sharedStrings: 64 * 1024 * 1024,
} as const

export function tooManyRowsMessage(): string {
  return `O arquivo tem mais de ${LIMITS.rows.toLocaleString('pt-BR')} linhas, que é o máximo. Divida-o em partes.`
}
