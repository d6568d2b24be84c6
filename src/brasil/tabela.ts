import { readFile } from 'node:fs/promises'

/** Reference tables (`tabelas/`): `;` between cells, no quotes, first line the header. */

const urlOf = (file: string) => new URL(`./tabelas/${file}`, import.meta.url)

/** Rows of text, without the header. */
export async function readRows(file: string): Promise<string[][]> {
  const text = await readFile(urlOf(file), 'utf8')
  const lines = text.trimEnd().split('\n').slice(1)
  return lines.map((line) => line.split(';'))
}

export const readBytes = (file: string): Promise<Buffer> => readFile(urlOf(file))

/** Figures by municipality: the columns behind the code, all lines in one typed array. */
export interface Figures {
  columns: readonly string[]
  cells: Uint32Array
  /** Offset of the figures of a municipality in `cells`. */
  start(codigo: number): number | undefined
}

const SEMICOLON = 0x3b
const NEWLINE = 0x0a
const ZERO = 0x30

/** Parses digits from the bytes: splitting into texts first takes four times as long, at every start. */
export function parseFigures(bytes: Uint8Array): Figures {
  const end = bytes.indexOf(NEWLINE)
  const [, ...columns] = Buffer.from(bytes.subarray(0, end)).toString().split(';')
  const width = columns.length + 1
  const numbers = new Uint32Array(bytes.length >> 1)
  let count = 0
  let number = 0
  for (let i = end + 1; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte === SEMICOLON || byte === NEWLINE) {
      numbers[count++] = number
      number = 0
    } else number = number * 10 + (byte - ZERO)
  }
  if (count % width !== 0) throw new Error('a table has lines of several lengths')
  const starts = new Map<number, number>()
  for (let i = 0; i < count; i += width) starts.set(numbers[i] as number, i + 1)
  return { columns, cells: numbers.slice(0, count), start: (codigo) => starts.get(codigo) }
}
