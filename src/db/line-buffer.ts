const PIECE_BYTES = 1024 * 1024
/** In UTF-8, what one unit of a JavaScript string takes at most. */
const BYTES_A_UNIT = 3

/**
 * Lines for the database, as bytes. Kept as text until they are sent, thousands of them would outlive the collector of
 * short-lived things, and cost more than being made.
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
    // Memory of its own, which can be handed to another thread.
    const piece = { buffer: Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes)), used: 0 }
    this.#pieces.push(piece)
    return piece
  }
}
