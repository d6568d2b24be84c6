const PIECE_BYTES = 1024 * 1024
/** In UTF-8, what one unit of a JavaScript string takes at most. */
const BYTES_A_UNIT = 3

/**
 * Lines for the database, as bytes in memory that is used again and again. Kept as text until they are sent, thousands of
 * them would outlive the collector of short-lived things, and cost more than being made.
 */
export class Linhas {
  #pieces: { buffer: Buffer; used: number }[] = []
  #current = 0
  bytes = 0

  add(line: string): void {
    const piece = this.#roomFor(line.length * BYTES_A_UNIT)
    const written = piece.buffer.write(line, piece.used)
    piece.used += written
    this.bytes += written
  }

  pieces(): Buffer[] {
    return this.#pieces.filter(({ used }) => used > 0).map(({ buffer, used }) => buffer.subarray(0, used))
  }

  /** Pieces of the usual size stay for the next lines. */
  clear(): void {
    this.#pieces = this.#pieces.filter(({ buffer }) => buffer.length === PIECE_BYTES)
    for (const piece of this.#pieces) piece.used = 0
    this.#current = 0
    this.bytes = 0
  }

  #roomFor(bytes: number): { buffer: Buffer; used: number } {
    for (; this.#current < this.#pieces.length; this.#current++) {
      const piece = this.#pieces[this.#current]
      if (piece !== undefined && piece.buffer.length - piece.used >= bytes) return piece
    }
    const piece = { buffer: Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes)), used: 0 }
    this.#pieces.push(piece)
    return piece
  }
}
