import type { CellValue, FileColumn } from '../arquivos/csv.ts'
import type { CreateGroupEncoder } from './parquet-groups.ts'

/** Rows of a file on their way into its bytes. */
export interface FileContent {
  colunas: readonly FileColumn[]
  blocks: AsyncIterable<CellValue[][]>
  /** Number of rows, which the header of some formats tells. */
  total: number
  /** Facts about the file, in formats that have a place for them. */
  metadata: Readonly<Record<string, string>>
  /** Encoder of Parquet's row groups; without it they are encoded in this thread. */
  createEncoder?: CreateGroupEncoder
}

export interface FileFormat {
  tipo: string
  extension: string
  encode(content: FileContent): AsyncIterable<Buffer>
  /** Rows that a file of these columns can have; unlimited without it. */
  maxRows?(colunas: readonly FileColumn[]): number
  /** Its header tells the number of rows before the first of them: a file with other rows would be read wrongly. */
  tellsTotal?: true
}
