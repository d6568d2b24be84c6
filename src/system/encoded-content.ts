import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The highest levels would take seconds for the largest file and save a few percent. */
const BROTLI_QUALITY = 9

const COMPRESSORS = {
  br: (content: Buffer, quality: number) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  /** Content that is compressed well is compressed once: the best level costs milliseconds then. */
  gzip: (content: Buffer, quality: number) =>
    promisify(gzip)(content, {
      level: quality < BROTLI_QUALITY ? constants.Z_DEFAULT_COMPRESSION : constants.Z_BEST_COMPRESSION,
    }),
}
export type Encoding = keyof typeof COMPRESSORS
/** In the order of preference. */
export const ENCODINGS = Object.keys(COMPRESSORS) as Encoding[]

/** Compresses once, on a thread of the pool. */
export const compress = (content: Buffer, encoding: Encoding, brotliQuality: number): Promise<Buffer> =>
  COMPRESSORS[encoding](content, brotliQuality)

/** Content that does not change. */
export interface EncodedContent {
  /** Strong entity tag (RFC 9110, 8.8.3): other bytes, as those of another encoding, have another. */
  etagIn(encoding: Encoding | null): string
  /** Null: as it is. */
  bytesIn(encoding: Encoding | null): Promise<Buffer>
}

/** Compresses once per encoding; costs both copies in memory. */
export function encodedContent(plain: Buffer, brotliQuality = BROTLI_QUALITY): EncodedContent {
  let digest: string | undefined
  const compressed = new Map<Encoding, Promise<Buffer>>()
  return {
    etagIn(encoding) {
      digest ??= createHash('sha256').update(plain).digest('base64url')
      return encoding === null ? `"${digest}"` : `"${digest}-${encoding}"`
    },
    async bytesIn(encoding) {
      if (encoding === null) return plain
      const ready = compressed.get(encoding) ?? compress(plain, encoding, brotliQuality)
      compressed.set(encoding, ready)
      return ready
    },
  }
}
