const PIECE_BYTES = 1024 * 1024
/** Most bytes of UTF-8 for one UTF-16 unit. */
const BYTES_A_UNIT = 3

/**
 * Byte buffer for lines of COPY. Thousands of strings kept until they are sent would be promoted to the old generation,
 * which costs more than making them.
 */
export class Linhas {
  #pieces: { buffer: Buffer; used: number }[] = []

  add(line: string): void {
    const piece = this.#roomFor(line.length * BYTES_A_UNIT)
    piece.used += piece.buffer.write(line, piece.used)
  }

  pieces(): Buffer[] {
    return this.#pieces.map(({ buffer, used }) => buffer.subarray(0, used))
  }

  #roomFor(bytes: number): { buffer: Buffer; used: number } {
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.buffer.length - last.used >= bytes) return last
    // Not from the shared pool, so that its memory can be transferred to another thread.
    const piece = { buffer: Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes)), used: 0 }
    this.#pieces.push(piece)
    return piece
  }
}
