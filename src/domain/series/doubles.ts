/** Array of doubles as PostgreSQL sends it (`array_send`), in base64: sizes, then each value behind its length. */

const SIZES = 12
/** Number of elements and lower bound of the one dimension. */
const DIMENSION = 8
const LENGTH = 4
const DOUBLE = 8

/** NaN where an element is null. */
export function readDoubles(base64: string): Float64Array {
  const bytes = Buffer.from(base64, 'base64')
  // Without elements there is no dimension.
  if (bytes.readInt32BE(0) === 0) return new Float64Array(0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const values = new Float64Array(view.getInt32(SIZES))
  let at = SIZES + DIMENSION
  for (let i = 0; i < values.length; i++) {
    const isNull = view.getInt32(at) < 0
    at += LENGTH
    values[i] = isNull ? Number.NaN : view.getFloat64(at)
    if (!isNull) at += DOUBLE
  }
  return values
}
