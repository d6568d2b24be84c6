import type Sharp from 'sharp'
import { invalid } from '../../errors/catalogue.ts'

export const MAX_PHOTO_BYTES = 5 * 1024 * 1024
const MAX_PIXELS = 25_000_000
const FORMATS = ['jpeg', 'png', 'webp']
const LARGE = 512
const SMALL = 96

/** Markup inside a picture: a polyglot file, refused. Data appended by phones is no markup. */
const MARKUP = /<(?:!doctype|html|head|body|script|iframe|svg|\?php)/i

let loaded: Promise<typeof Sharp> | undefined

/** Loaded with the first picture: 40 ms and the memory of a library that few instances ever need. */
function loadSharp(): Promise<typeof Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Allowlist of decoders: no SVG, no TIFF, none that reads other files. Set once per process: a picture opened by another
    // thread between the two calls would find no decoder.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
    })
    return sharp
  })
  return loaded
}

export interface Foto {
  grande: Buffer
  pequena: Buffer
}

/**
 * Detects the format by content, never by name or stated type, and re-encodes the pixels: no metadata, no second image, no
 * trailing bytes. The number of pixels is checked before decoding.
 */
export async function reencode(content: Buffer, field: string): Promise<Foto> {
  const sharp = await loadSharp()
  try {
    if (MARKUP.test(content.toString('latin1'))) throw new Error('holds markup')
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'truncated' as const, pages: 1 }
    const { format = '' } = await sharp(content, options).metadata()
    if (!FORMATS.includes(format)) throw new Error(`${format} is not taken`)
    const square = (size: number) =>
      sharp(content, options).rotate().resize(size, size, { fit: 'cover' }).webp({ quality: 82 }).toBuffer()
    // Sequential: a large picture is in memory once.
    const grande = await square(LARGE)
    return { grande, pequena: await sharp(grande).resize(SMALL, SMALL).webp({ quality: 82 }).toBuffer() }
  } catch {
    throw invalid('body', [field], 'INVALID_IMAGE', {})
  }
}
