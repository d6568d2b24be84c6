import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl'
import type { FileSource } from './table.ts'
import { InvalidFile, LIMITS } from './table.ts'

const MAX_ENTRIES = 1_000
/** Limit of names, extra fields and comments, which stay in memory. */
const INDEX_BYTES = 4 * 1024 * 1024
/** Expansion allowed at any ratio: an honest sheet of empty rows shrinks a thousandfold. */
const FREE_EXPANSION = 64 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024

/** Random access to the entries of a ZIP, over yauzl. Sizes and checksums in it are verified while it is decompressed. */
export class Zip {
  readonly entries: string[]
  readonly #byName: Map<string, Entry>
  readonly #openEntry: (entry: Entry) => Promise<Readable>
  readonly #reader: SourceReader

  private constructor(
    reader: SourceReader,
    entries: Entry[],
    openEntry: (entry: Entry) => Promise<Readable>,
  ) {
    this.#reader = reader
    this.#openEntry = openEntry
    this.entries = entries.map(({ fileName }) => fileName)
    this.#byName = new Map(entries.map((entry) => [entry.fileName.toLowerCase(), entry]))
  }

  static async open(source: FileSource): Promise<Zip> {
    const reader = new SourceReader(source)
    try {
      const zip = await fromRandomAccessReaderPromise(reader, source.size, { autoClose: false })
      return new Zip(reader, await listEntries(zip.eachEntry()), (e) => zip.openReadStreamPromise(e))
    } catch (error) {
      throw reader.translate(error)
    }
  }

  has(name: string): boolean {
    return this.#byName.has(name.toLowerCase())
  }

  /** An entry as a source; `readAt` decompresses all that precedes the range. */
  source(name: string): FileSource {
    const entry = this.#byName.get(name.toLowerCase())
    if (entry === undefined) throw new InvalidFile(`Falta "${name}" dentro do arquivo.`)
    if (entry.isEncrypted()) throw passwordProtected()
    return {
      size: entry.uncompressedSize,
      stream: () => this.#stream(entry),
      readAt: (offset, length) => readAtOf(this.#stream(entry), offset, length),
    }
  }

  async *#stream(entry: Entry): AsyncGenerator<Buffer> {
    let bytes = 0
    let checksum = 0
    try {
      for await (const chunk of await this.#openEntry(entry)) {
        bytes += chunk.length
        checkExpansion(bytes, entry.compressedSize)
        checksum = crc32(chunk, checksum)
        yield chunk
      }
    } catch (error) {
      throw this.#reader.translate(error)
    }
    if (checksum !== entry.crc32) throw corrupt()
  }
}

/** Adapter of a source to yauzl. Keeps a failure of the source, so that it is not reported as a corrupt file. */
class SourceReader extends RandomAccessReader {
  readonly #source: FileSource
  #failure: { error: unknown } | null = null

  constructor(source: FileSource) {
    super()
    this.#source = source
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, read?: number) => void,
  ): void {
    this.#readAt(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error) => callback(error),
    )
  }

  translate(error: unknown): unknown {
    if (this.#failure !== null) return this.#failure.error
    if (error instanceof InvalidFile) return error
    return error instanceof Error && /encrypt/i.test(error.message) ? passwordProtected() : corrupt()
  }

  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let from = start; from < end; from += CHUNK_BYTES)
      yield await this.#readAt(from, Math.min(CHUNK_BYTES, end - from))
  }

  async #readAt(from: number, count: number): Promise<Buffer> {
    if (from + count > this.#source.size) throw corrupt()
    try {
      return await this.#source.readAt(from, count)
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }
}

async function listEntries(all: AsyncIterable<Entry>): Promise<Entry[]> {
  const entries: Entry[] = []
  let bytes = 0
  for await (const entry of all) {
    bytes += entry.fileNameRaw.length + entry.extraFieldRaw.length + entry.fileCommentRaw.length
    entries.push(entry)
    if (entries.length > MAX_ENTRIES || bytes > INDEX_BYTES) {
      throw new InvalidFile(
        `O arquivo compactado tem arquivos demais (o máximo é ${MAX_ENTRIES.toLocaleString('pt-BR')}).`,
      )
    }
  }
  return entries
}

function checkExpansion(bytes: number, compressed: number): void {
  const isTooMuch = bytes > FREE_EXPANSION && bytes > compressed * LIMITS.compressionRatio
  if (isTooMuch || bytes > LIMITS.expandedBytes) {
    throw new InvalidFile(
      'O arquivo compactado se expande a um tamanho que nenhum arquivo de casos tem; por segurança não foi lido.',
    )
  }
}

async function readAtOf(chunks: AsyncIterable<Buffer>, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let position = 0
  for await (const chunk of chunks) {
    const from = Math.max(0, offset - position)
    const to = Math.min(chunk.length, offset + length - position)
    if (from < to) parts.push(chunk.subarray(from, to))
    position += chunk.length
    if (position >= offset + length) break
  }
  return Buffer.concat(parts)
}

function passwordProtected(): InvalidFile {
  return new InvalidFile('O arquivo está protegido por senha. Retire a senha e envie de novo.')
}

function corrupt(): InvalidFile {
  return new InvalidFile(
    'O arquivo compactado (ZIP ou XLSX) está corrompido ou incompleto. Baixe-o ou salve-o de novo.',
  )
}
