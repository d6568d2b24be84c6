import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartupError } from '../../config/config.ts'

/**
 * A backup as a file: text under gzip, readable with `zcat`.
 *
 *   {"formato":"vigia-backup-1", …}                  the head: which migrations had run
 *   {"table":"casos","columns":["id", …]}            then its rows in the text format of COPY, and a line `\.`
 *   …                                                each table after those it refers to
 *   {"tables":{"casos":{"rows":3, …}}, …}            the end, without which a file was cut
 */
const FORMAT = 'vigia-backup-1'
/** No row looks like it: COPY writes a backslash twice. */
const END_OF_ROWS = '\\.\n'
const CHUNK = 256 * 1024

export interface Head {
  formato: string
  criado_em: string
  /** Name and checksum of each, in their order. */
  migracoes: [string, string][]
}

export interface TableHead {
  table: string
  columns: string[]
}

export interface Tally {
  rows: number
  sha256: string
}

export interface End {
  tables: Record<string, Tally>
  /** The last number each sequence gave. */
  sequences: Record<string, string>
}

export interface Contents {
  head: Head
  end: End
}

export const totalRows = ({ tables }: End) => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

export const headOf = (migracoes: Head['migracoes'], now: Date): Head => ({
  formato: FORMAT,
  criado_em: now.toISOString(),
  migracoes,
})

export const lineOf = (part: Head | TableHead | End) => Buffer.from(`${JSON.stringify(part)}\n`)
export const endOfRows = () => Buffer.from(END_OF_ROWS)

/** Pass-through that measures the rows. */
export function createTally(): {
  pass(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  sha256(): string
} {
  const hash = createHash('sha256')
  return {
    async *pass(rows) {
      for await (const piece of rows) {
        hash.update(piece)
        yield piece
      }
    },
    sha256: () => hash.digest('hex'),
  }
}

/** The file appears whole, on disk, or not at all. Only its owner may read it. */
export async function writeArchive(file: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const unfinished = `${file}.unfinished`
  try {
    await pipeline(
      Readable.from(pieces, { objectMode: false }),
      createGzip({ chunkSize: CHUNK }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    )
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

export type LoadTable = (table: TableHead, rows: AsyncIterable<Buffer>) => Promise<void>

/** Reads the tables one by one and verifies at the end that the file is complete. */
export async function readArchive(file: string, load: LoadTable): Promise<Contents> {
  const source = createReadStream(file)
  const unpacked = createGunzip({ chunkSize: CHUNK })
  source.on('error', (error) => unpacked.destroy(error))
  try {
    return await readParts(createReader(source.pipe(unpacked)), load)
  } catch (error) {
    if (!isOfTheFile(error)) throw error
    throw new StartupError(`${file} is no whole backup: ${(error as Error).message}`)
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

class Damaged extends Error {}

const isOfTheFile = (error: unknown) =>
  error instanceof Damaged ||
  error instanceof SyntaxError ||
  /^(Z_|ENOENT|EACCES|EISDIR|EIO)/.test((error as { code?: string }).code ?? '')

async function readParts(reader: Reader, load: LoadTable): Promise<Contents> {
  const head = JSON.parse(await reader.line()) as Head
  if (head.formato !== FORMAT) throw new Damaged(`its format is not ${FORMAT}`)
  const found = new Map<string, string>()
  for (;;) {
    const part = JSON.parse(await reader.line()) as TableHead | End
    if ('tables' in part) {
      await reader.end()
      refuseDifference(part, found)
      return { head, end: part }
    }
    const tally = createTally()
    await load(part, tally.pass(reader.rows()))
    found.set(part.table, tally.sha256())
  }
}

function refuseDifference({ tables }: End, found: Map<string, string>): void {
  for (const name of new Set([...Object.keys(tables), ...found.keys()]))
    if (tables[name]?.sha256 !== found.get(name))
      throw new Damaged(`the rows of ${name} are not those written`)
}

interface Reader {
  line(): Promise<string>
  /** Whole lines, up to the end of a table. */
  rows(): AsyncGenerator<Buffer>
  /** Throws when anything follows. */
  end(): Promise<void>
}

function createReader(source: AsyncIterable<Buffer>): Reader {
  const chunks = source[Symbol.asyncIterator]()
  /** Always begins at the beginning of a line. */
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const { value, done } = await chunks.next()
    if (done) return false
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
    return true
  }
  async function needMore(): Promise<void> {
    if (!(await more())) throw new Damaged('it was cut off')
  }
  function take(length: number): Buffer {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }

  return {
    async line() {
      while (!rest.includes('\n')) await needMore()
      return take(rest.indexOf('\n') + 1).toString()
    },
    async *rows() {
      for (;;) {
        while (rest.length < END_OF_ROWS.length) await needMore()
        if (rest.subarray(0, END_OF_ROWS.length).equals(Buffer.from(END_OF_ROWS))) {
          take(END_OF_ROWS.length)
          return
        }
        const end = rest.indexOf(`\n${END_OF_ROWS}`)
        const lines = (end === -1 ? rest.lastIndexOf('\n') : end) + 1
        if (lines === 0) await needMore()
        else yield take(lines)
      }
    },
    async end() {
      if (rest.length > 0 || (await more())) throw new Damaged('something follows its end')
    },
  }
}
