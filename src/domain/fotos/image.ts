import sharp from 'sharp'
import { invalid } from '../../errors/catalogue.ts'

export const MAX_PHOTO_BYTES = 5 * 1024 * 1024
const MAX_PIXELS = 25_000_000
const FORMATS = ['jpeg', 'png', 'webp']
const LARGE = 512
const SMALL = 96

/** A picture that is a page at the same time was made to deceive. (Phones append data of their own; that is no markup.) */
const MARKUP = /<(?:!doctype|html|head|body|script|iframe|svg|\?php)/i

// Of all that the library can read, only these decoders may ever run: no SVG, no TIFF, nothing that looks elsewhere. Said
// once for the whole process: a picture that another thread opens between the two calls would find no decoder.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

export interface Foto {
  grande: Buffer
  pequena: Buffer
}

/**
 * Decides by content, never by name or stated type, and makes the picture anew: what comes out holds the pixels alone, no
 * metadata, no second image, no trailing bytes. The number of pixels is known before any is decoded.
 */
export async function reencode(content: Buffer, field: string): Promise<Foto> {
  try {
    if (MARKUP.test(content.toString('latin1'))) throw new Error('holds markup')
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'truncated' as const, pages: 1 }
    const { format = '' } = await sharp(content, options).metadata()
    if (!FORMATS.includes(format)) throw new Error(`${format} is not taken`)
    const square = (size: number) =>
      sharp(content, options).rotate().resize(size, size, { fit: 'cover' }).webp({ quality: 82 }).toBuffer()
    // One after the other: a large picture is in memory once.
    const grande = await square(LARGE)
    return { grande, pequena: await sharp(grande).resize(SMALL, SMALL).webp({ quality: 82 }).toBuffer() }
  } catch {
    throw invalid('body', [field], 'INVALID_IMAGE', {})
  }
}
