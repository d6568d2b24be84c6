import { InvalidFile } from './table.ts'

/**
 * Streaming decompressor of PKWARE "implode"; the format is described with zlib (contrib/blast). Hand-written because
 * memory must be bounded whatever goes in, and a copy from before the beginning of the data refused at once; the
 * library node-pkware, which is given the whole file, is the oracle of the tests.
 *
 * A symbol is a flag bit and then a literal or a length with a distance. Codes are canonical Huffman
 * with every bit inverted, the first bit being the highest; plain numbers have the lowest bit first.
 */

/** Code lengths, run-length coded: low four bits the length, high four how often, less one. */
const LITERALS = [
  11, 124, 8, 7, 28, 7, 188, 13, 76, 4, 10, 8, 12, 10, 12, 10, 8, 23, 8, 9, 7, 6, 7, 8, 7, 6, 55, 8, 23, 24,
  12, 11, 7, 9, 11, 12, 6, 7, 22, 5, 7, 24, 6, 11, 9, 6, 7, 22, 7, 11, 38, 7, 9, 8, 25, 11, 8, 11, 9, 12, 8,
  12, 5, 38, 5, 38, 5, 11, 7, 5, 6, 21, 6, 10, 53, 8, 7, 24, 10, 27, 44, 253, 253, 253, 252, 252, 252, 13, 12,
  45, 12, 45, 12, 61, 12, 45, 44, 173,
]
const LENGTHS = [2, 35, 36, 53, 38, 23]
const DISTANCES = [2, 20, 53, 230, 247, 151, 248]
const BASE = [3, 2, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 40, 72, 136, 264]
const EXTRA_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
const END_LENGTH = 519

const WINDOW = 4096
const OUTPUT = 64 * 1024
/** Upper bound of one symbol's length in the stream. */
const SYMBOL_BYTES = 8

interface CodeTable {
  bits: number
  /** Indexed by the next `bits` bits: symbol × 16 + length of its code. */
  entries: Uint16Array
}

function createCodeTable(runs: number[]): CodeTable {
  const lengths = runs.flatMap((r) => Array<number>((r >> 4) + 1).fill(r & 15))
  const bits = Math.max(...lengths)
  const entries = new Uint16Array(1 << bits)
  let code = 0
  for (let length = 1; length <= bits; length++) {
    code <<= 1
    for (const [symbol, codeLength] of lengths.entries()) {
      if (codeLength !== length) continue
      for (let i = reverseInverted(code, length); i < entries.length; i += 1 << length) {
        entries[i] = symbol * 16 + length
      }
      code++
    }
  }
  return { bits, entries }
}

function reverseInverted(code: number, length: number): number {
  let output = 0
  for (let i = 0; i < length; i++) output |= (1 ^ ((code >> (length - 1 - i)) & 1)) << i
  return output
}

const LITERAL_CODES = createCodeTable(LITERALS)
const LENGTH_CODES = createCodeTable(LENGTHS)
const DISTANCE_CODES = createCodeTable(DISTANCES)

/** Ends at the end code and ignores the rest. A truncated stream yields what it held. */
export async function* explode(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const exploder = new Exploder()
  for await (const chunk of chunks) {
    yield* exploder.push(chunk, false)
    if (exploder.ended) return
  }
  yield* exploder.push(Buffer.alloc(0), true)
}

class Exploder {
  ended = false
  #input: Buffer = Buffer.alloc(0)
  #position = 0
  #bits = 0
  #bitCount = 0
  #codedLiterals = false
  /** Low bits of a distance; 0 until the two bytes at the start have been read. */
  #dictionaryBits = 0
  /** Sliding window: the last WINDOW bytes yielded, then those not yet yielded. */
  readonly #output = Buffer.alloc(WINDOW + OUTPUT)
  #end = WINDOW
  #total = 0

  /** Negative once zeros were read beyond the end of the input. */
  #bitsLeft(): number {
    return (this.#input.length - this.#position) * 8 + this.#bitCount
  }

  *push(chunk: Buffer, final: boolean): Generator<Buffer> {
    this.#input = Buffer.concat([this.#input.subarray(this.#position), chunk])
    this.#position = 0
    const reserve = final ? 1 : SYMBOL_BYTES * 8
    if (this.#dictionaryBits === 0 && this.#input.length >= 2) this.#readHeader()
    while (this.#dictionaryBits !== 0 && !this.ended && this.#bitsLeft() >= reserve) {
      const before = this.#end
      this.#readSymbol()
      // Half a symbol at the end of a truncated file must not pass for data.
      if (this.#bitsLeft() < 0) this.#end = before
      if (this.#end > WINDOW + OUTPUT - END_LENGTH) yield this.#take()
    }
    if ((final || this.ended) && this.#end > WINDOW) yield this.#take()
  }

  #take(): Buffer {
    const ready = Buffer.from(this.#output.subarray(WINDOW, this.#end))
    this.#output.copyWithin(0, this.#end - WINDOW, this.#end)
    this.#end = WINDOW
    return ready
  }

  #readHeader(): void {
    const [type, dictionaryBits] = [this.#input[0] as number, this.#input[1] as number]
    if (type > 1 || dictionaryBits < 4 || dictionaryBits > 6) throw corruptData()
    this.#codedLiterals = type === 1
    this.#dictionaryBits = dictionaryBits
    this.#position = 2
  }

  #readSymbol(): void {
    this.#fill()
    if (this.#takeBits(1) === 0) {
      const byte = this.#codedLiterals ? this.#decode(LITERAL_CODES) : this.#takeBits(8)
      this.#output[this.#end++] = byte
      this.#total++
      return
    }
    const code = this.#decode(LENGTH_CODES)
    const length = (BASE[code] as number) + this.#takeBits(EXTRA_BITS[code] as number)
    if (length === END_LENGTH) {
      this.ended = true
      return
    }
    this.#fill()
    const lowBits = length === 2 ? 2 : this.#dictionaryBits
    const distance = (this.#decode(DISTANCE_CODES) << lowBits) + this.#takeBits(lowBits) + 1
    if (distance > this.#total) {
      // Read from zeros beyond a truncated file: no evidence of corruption.
      if (this.#bitsLeft() < 0) return
      throw corruptData()
    }
    this.#copy(distance, length)
  }

  /** Byte by byte where the copy overlaps itself: that is how a run is written. */
  #copy(distance: number, length: number): void {
    const output = this.#output
    const from = this.#end - distance
    if (distance >= length) output.copyWithin(this.#end, from, from + length)
    else for (let i = 0; i < length; i++) output[this.#end + i] = output[from + i] as number
    this.#end += length
    this.#total += length
  }

  /** At least 25 bits; zeros after the end of the input. */
  #fill(): void {
    while (this.#bitCount <= 24) {
      this.#bits |= (this.#input[this.#position] ?? 0) << this.#bitCount
      this.#position++
      this.#bitCount += 8
    }
  }

  #takeBits(n: number): number {
    const value = this.#bits & ((1 << n) - 1)
    this.#bits >>>= n
    this.#bitCount -= n
    return value
  }

  #decode({ bits, entries }: CodeTable): number {
    const entry = entries[this.#bits & ((1 << bits) - 1)] as number
    this.#takeBits(entry & 15)
    return entry >> 4
  }
}

function corruptData(): InvalidFile {
  return new InvalidFile('Os dados compactados do arquivo DBC estão corrompidos. Baixe-o de novo.')
}
