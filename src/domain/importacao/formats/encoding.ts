import { isAscii, isUtf8 } from 'node:buffer'

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be'

/** Result of scanning all bytes of a text file. */
export interface TextCheck {
  /** Valid UTF-8, plain ASCII included. */
  utf8: boolean
  /** Offset of the first NUL byte, which no single-byte or UTF-8 text has. */
  nul: number | null
}

/** Incremental UTF-8 validation; chunks may cut a character in two. */
export class TextChecker {
  #read = 0
  #nul: number | null = null
  #valid = true
  #hasNonAscii = false
  #tail: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): void {
    this.#findNul(chunk)
    this.#checkUtf8(chunk)
    this.#read += chunk.length
  }

  /** A file truncated inside its last character still counts as UTF-8 if complete multi-byte characters precede it. */
  end(): TextCheck {
    return { utf8: this.#valid && (this.#tail.length === 0 || this.#hasNonAscii), nul: this.#nul }
  }

  #findNul(chunk: Buffer): void {
    if (this.#nul !== null) return
    const nul = chunk.indexOf(0)
    if (nul !== -1) this.#nul = this.#read + nul
  }

  #checkUtf8(chunk: Buffer): void {
    if (!this.#valid) return
    const bytes = this.#tail.length > 0 ? Buffer.concat([this.#tail, chunk]) : chunk
    const end = bytes.length - unfinishedBytes(bytes)
    const whole = bytes.subarray(0, end)
    this.#tail = Buffer.from(bytes.subarray(end))
    if (isAscii(whole)) return
    this.#hasNonAscii = true
    this.#valid = isUtf8(whole)
  }
}

/** Number of bytes at the end that begin a UTF-8 character without completing it. */
function unfinishedBytes(bytes: Buffer): number {
  for (let n = 1; n <= Math.min(3, bytes.length); n++) {
    const byte = bytes[bytes.length - n] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) {
      const total = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return n < total ? n : 0
    }
  }
  return 0
}
