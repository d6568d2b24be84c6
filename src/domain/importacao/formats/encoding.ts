import { isAscii, isUtf8 } from 'node:buffer'

/** What all bytes of a file together tell of the text it may be. */
export interface Exame {
  /** Plain ASCII included. */
  utf8: boolean
  /** Where its first null byte is, which no text has. */
  nulo: number | null
}

/** Over pieces that may cut a character in two. */
export class Examinador {
  #lidos = 0
  #nulo: number | null = null
  #valido = true
  #temAcentos = false
  #cauda: Buffer = Buffer.alloc(0)

  push(pedaco: Buffer): void {
    this.#findNulo(pedaco)
    this.#checkUtf8(pedaco)
    this.#lidos += pedaco.length
  }

  /** A file cut in the middle of its last character is still UTF-8, if it showed before that it is. */
  fim(): Exame {
    return { utf8: this.#valido && (this.#cauda.length === 0 || this.#temAcentos), nulo: this.#nulo }
  }

  #findNulo(pedaco: Buffer): void {
    if (this.#nulo !== null) return
    const nulo = pedaco.indexOf(0)
    if (nulo !== -1) this.#nulo = this.#lidos + nulo
  }

  #checkUtf8(pedaco: Buffer): void {
    if (!this.#valido) return
    const bytes = this.#cauda.length > 0 ? Buffer.concat([this.#cauda, pedaco]) : pedaco
    const fim = bytes.length - unfinishedBytes(bytes)
    const inteiros = bytes.subarray(0, fim)
    this.#cauda = Buffer.from(bytes.subarray(fim))
    if (isAscii(inteiros)) return
    this.#temAcentos = true
    this.#valido = isUtf8(inteiros)
  }
}

/** How many bytes at the end begin a UTF-8 character without ending it. */
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
