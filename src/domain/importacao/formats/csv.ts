import { CsvTokenizer } from './csv-records.ts'
import type { Encoding } from './encoding.ts'
import type { FileRow, FileSource, FileTable } from './table.ts'
import { InvalidFile, LIMITS, tooManyRowsMessage } from './table.ts'
import { createDecoder, detectEncoding } from './text.ts'

const DELIMITERS = [';', ',', '\t'] as const
/** Upper bound of the text decoded and tokenized at a time, whatever the size of the source's chunks. */
const CHUNK_BYTES = 256 * 1024
const ROWS_PER_BLOCK = 2_000

export async function openCsv(source: FileSource): Promise<FileTable> {
  const encoding = await detectEncoding(source)
  const { delimiter, header } = await readHeader(source, encoding)
  checkColumns(header)
  return {
    formato: 'csv',
    header: header.values,
    codificacao: encoding,
    delimitador: delimiter,
    blocks: readBlocks(source, encoding, new CsvTokenizer(delimiter, header.values.length > 1)),
  }
}

/** Detects the delimiter: the header is read with each, and the one that gives most columns wins. */
async function readHeader(
  source: FileSource,
  encoding: Encoding,
): Promise<{ delimiter: string; header: FileRow }> {
  const attempts = DELIMITERS.map((delimiter) => ({
    delimiter,
    tokenizer: new CsvTokenizer(delimiter),
    header: undefined as FileRow | undefined,
  }))
  for await (const text of readText(source, encoding)) {
    for (const attempt of attempts) {
      const { tokenizer } = attempt
      attempt.header ??= (text === null ? tokenizer.end() : tokenizer.push(text))[0]
    }
    if (attempts.every(({ header }) => header !== undefined)) break
    for (const { tokenizer } of attempts) checkBlankLines(tokenizer)
  }
  let best: { delimiter: string; header: FileRow; score: number } | null = null
  for (const { delimiter, header } of attempts) {
    if (header === undefined) continue
    const score = rate(header)
    if (best === null || score > best.score) best = { delimiter, header, score }
  }
  if (best === null) throw new InvalidFile('O arquivo está vazio: não há linha de cabeçalho.')
  return best
}

/** Number of columns; almost nothing where quotes are left in names, since that delimiter cut quoted names apart. */
function rate({ values }: FileRow): number {
  const hasQuotes = values.some((name) => name.includes('"'))
  return hasQuotes ? values.length / LIMITS.charactersPerRow : values.length
}

async function* readBlocks(
  source: FileSource,
  encoding: Encoding,
  tokenizer: CsvTokenizer,
): AsyncGenerator<FileRow[]> {
  let rows = -1 // The header is none of them.
  for await (const text of readText(source, encoding)) {
    const records = text === null ? tokenizer.end() : tokenizer.push(text)
    const first = rows === -1 ? 1 : 0
    rows += records.length
    if (rows + tokenizer.blankLines > LIMITS.rows) throw new InvalidFile(tooManyRowsMessage())
    if (rows <= 0) checkBlankLines(tokenizer)
    for (const record of records) checkColumns(record)
    for (let i = first; i < records.length; i += ROWS_PER_BLOCK) {
      yield records.slice(i, i + ROWS_PER_BLOCK)
    }
  }
}

/** Decoded text in chunks, then null. */
async function* readText(source: FileSource, encoding: Encoding): AsyncGenerator<string | null> {
  const decode = createDecoder(encoding)
  for await (const chunk of source.stream()) {
    for (let i = 0; i < chunk.length; i += CHUNK_BYTES) yield decode(chunk.subarray(i, i + CHUNK_BYTES))
  }
  yield decode(null)
  yield null
}

/** Refuses a file of blank lines early; called until the first row is found. */
function checkBlankLines({ blankLines }: CsvTokenizer): void {
  if (blankLines <= LIMITS.rowsWithoutCaso) return
  throw new InvalidFile(
    `O arquivo está vazio nas primeiras ${blankLines.toLocaleString('pt-BR')} linhas: não parece ser um CSV de casos.`,
  )
}

function checkColumns({ line, values }: FileRow): void {
  if (values.length <= LIMITS.columns) return
  throw new InvalidFile(
    `A linha ${line} tem ${values.length.toLocaleString('pt-BR')} colunas; o máximo é ${LIMITS.columns.toLocaleString('pt-BR')}.`,
  )
}
