import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

/** Public Sans (OFL): as one variable file for browsers, and by weight for the PDF, whose writer embeds no variable fonts. */
const FILES = {
  variable: '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2',
  regular: '@fontsource/public-sans/files/public-sans-latin-400-normal.woff',
  bold: '@fontsource/public-sans/files/public-sans-latin-700-normal.woff',
} as const

const read = (font: keyof typeof FILES) => readFileSync(createRequire(import.meta.url).resolve(FILES[font]))

/** Base64 of the font of the HTML. */
export const webFont = (): string => read('variable').toString('base64')

/** TrueType of a font of the PDF. Unpacked here: the writer would inflate a table for every letter, a second of CPU in all. */
export const pdfFont = (weight: 'regular' | 'bold'): Buffer => toTrueType(read(weight))

const WOFF_HEAD = 44
const WOFF_ENTRY = 20
const HEAD = 12
const ENTRY = 16

/** WOFF 1.0: a directory, then tables that are compressed one by one. */
function toTrueType(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, i) => {
    const at = WOFF_HEAD + i * WOFF_ENTRY
    const [offset, packed, length] = [4, 8, 12].map((part) => woff.readUInt32BE(at + part)) as [
      number,
      number,
      number,
    ]
    const data = woff.subarray(offset, offset + packed)
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.subarray(at + 16, at + 20),
      data: packed < length ? inflateSync(data) : data,
    }
  })
  const head = Buffer.alloc(HEAD)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  // Hints for a binary search of the directory.
  const largest = 2 ** Math.floor(Math.log2(count))
  head.writeUInt16BE(largest * ENTRY, 6)
  head.writeUInt16BE(Math.log2(largest), 8)
  head.writeUInt16BE((count - largest) * ENTRY, 10)
  const parts: Buffer[] = []
  let offset = HEAD + count * ENTRY
  const directory = tables.map(({ tag, checksum, data }) => {
    const entry = Buffer.alloc(ENTRY)
    tag.copy(entry, 0)
    checksum.copy(entry, 4)
    entry.writeUInt32BE(offset, 8)
    entry.writeUInt32BE(data.length, 12)
    // Every table begins at a multiple of four.
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4)
    data.copy(padded)
    parts.push(padded)
    offset += padded.length
    return entry
  })
  return Buffer.concat([head, ...directory, ...parts])
}
