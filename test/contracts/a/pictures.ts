import { crc32 } from 'node:zlib'
import sharp from 'sharp'

/** A picture with something to see, so that a cut-off one lacks something; slopes, since noise takes twice the CPU to encode. */
export async function picture(format: 'jpeg' | 'png' | 'webp', width = 300, height = 200): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let i = 0; i < pixels.length; i++) {
    const pixel = Math.floor(i / 3)
    pixels[i] = (pixel % width) + Math.floor(pixel / width) * (i % 3)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    [format]()
    .toBuffer()
}

/** A PNG with one bit a pixel, whose header says what it is told to. */
export function png(width: number, height: number, compressed: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', compressed),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
