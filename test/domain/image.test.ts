import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { reencode } from '../../src/domain/fotos/image.ts'
import { AppError } from '../../src/errors/catalogue.ts'
import { picture, png } from '../contracts/a/pictures.ts'
import { cpuMs } from '../harness/cpu.ts'

const TAKEN = ['jpeg', 'png', 'webp'] as const

async function refused(content: Buffer): Promise<void> {
  await assert.rejects(reencode(content, 'file'), (error) => {
    assert.ok(error instanceof AppError && error.is('VALIDATION_ERROR'), String(error))
    assert.deepEqual(error.extras.problems, [
      { at: 'body', path: ['file'], code: 'INVALID_IMAGE', params: {} },
    ])
    return true
  })
}

describe('a photo', () => {
  for (const format of TAKEN)
    it(`made of ${format} becomes a square WebP of 512 and one of 96 pixels`, async () => {
      const { grande, pequena } = await reencode(await picture(format, 640, 360), 'file')
      for (const [content, size] of [
        [grande, 512],
        [pequena, 96],
      ] as const) {
        const { format: made, width, height } = await sharp(content).metadata()
        assert.deepEqual({ made, width, height }, { made: 'webp', width: size, height: size })
      }
      assert.ok(grande.length < 300_000 && pequena.length < 20_000, `${grande.length}, ${pequena.length}`)
    })

  it('is read whatever else is sent at the same time', async () => {
    const photo = await picture('jpeg', 16, 16)
    let sending = true
    const disturb = async () => {
      while (sending) {
        await Promise.all(Array.from({ length: 20 }, () => refused(Buffer.from('<html>'))))
        await new Promise(setImmediate)
      }
    }
    const disturbed = disturb()
    try {
      for (let i = 0; i < 300; i++) assert.equal((await sharp(photo).metadata()).format, 'jpeg')
    } finally {
      sending = false
      await disturbed
    }
    await reencode(photo, 'file')
  })

  it('smaller than the square is enlarged, and a single pixel will do', async () => {
    const { grande } = await reencode(await picture('png', 1, 1), 'file')
    const { width, height } = await sharp(grande).metadata()
    assert.deepEqual([width, height], [512, 512])
  })

  it('loses all metadata: EXIF, place, camera, colour profile, XMP', async () => {
    const original = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
      .withExif({
        IFD0: { Make: 'CameraSecreta', Software: 'Rastreador' },
        IFD3: { GPSLatitude: '8/1 3/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc>SegredoXmp</dc></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const before = await sharp(original).metadata()
    assert.ok(before.exif && before.icc && before.xmp, 'the original has them')
    const { grande, pequena } = await reencode(original, 'file')
    for (const content of [grande, pequena]) {
      const { exif, icc, xmp, iptc, orientation } = await sharp(content).metadata()
      assert.deepEqual(
        { exif, icc, xmp, iptc, orientation },
        { exif: undefined, icc: undefined, xmp: undefined, iptc: undefined, orientation: undefined },
      )
      assert.doesNotMatch(content.toString('latin1'), /CameraSecreta|Rastreador|SegredoXmp|EXIF|XMP |ICCP/)
    }
  })

  // What is stored top-left; where the EXIF orientation says it belongs.
  for (const [orientation, corner] of [
    [1, 'top left'],
    [3, 'bottom right'],
    [6, 'top right'],
    [8, 'bottom left'],
  ] as const)
    it(`with the orientation ${orientation} is turned, not only labelled`, async () => {
      const red = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#ff0000' } })
        .png()
        .toBuffer()
      const content = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#0000ff' } })
        .composite([{ input: red, left: 0, top: 0 }])
        .withMetadata({ orientation })
        .jpeg()
        .toBuffer()
      const { grande } = await reencode(content, 'file')
      const { data, info } = await sharp(grande).raw().toBuffer({ resolveWithObject: true })
      const isRed = (x: number, y: number) => (data[(y * info.width + x) * info.channels] as number) > 128
      const corners = {
        'top left': [50, 50],
        'top right': [460, 50],
        'bottom left': [50, 460],
        'bottom right': [460, 460],
      }
      const found = Object.entries(corners)
        .filter(([, [x, y]]) => isRed(x as number, y as number))
        .map(([name]) => name)
      assert.deepEqual(found, [corner])
    })

  it('of an animation is its first frame', async () => {
    const frame = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const next = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const animation = await sharp([frame, next], { join: { animated: true } })
      .webp()
      .toBuffer()
    const { pages } = await sharp(animation, { animated: true }).metadata()
    assert.equal(pages, 2)
    const { grande } = await reencode(animation, 'file')
    assert.equal((await sharp(grande, { animated: true }).metadata()).pages ?? 1, 1)
  })

  it('loses what a camera appends to it', async () => {
    const { grande } = await reencode(
      Buffer.concat([await picture('jpeg'), Buffer.from('SEFHdadosdacameraSEFT')]),
      'file',
    )
    assert.doesNotMatch(grande.toString('latin1'), /dadosdacamera/)
  })
})

const whole = { jpeg: await picture('jpeg'), png: await picture('png'), webp: await picture('webp') }
const of = (format: 'gif' | 'tiff' | 'avif') =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    [format]()
    .toBuffer()
const html = Buffer.from('<html><script>alert(1)</script></html>')
const lying = Buffer.from(whole.png)
lying.writeUInt32BE(9999, 16)
const lyingWithCrc = Buffer.from(whole.png)
lyingWithCrc.writeUInt32BE(4000, 16)
lyingWithCrc.writeUInt32BE(crc32(lyingWithCrc.subarray(12, 29)), 29)

const CASES: Record<string, Buffer> = {
  'an empty file': Buffer.alloc(0),
  'one byte': Buffer.from([0xff]),
  text: Buffer.from('isto não é uma foto'),
  GIF: await of('gif'),
  TIFF: await of('tiff'),
  AVIF: await of('avif'),
  'a header of HEIC': Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(500)]),
  SVG: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  ),
  'SVG with an XML header': Buffer.from(
    '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  ),
  PDF: Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  BMP: Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]),
  HTML: html,
  'a JPEG header and nothing else': whole.jpeg.subarray(0, 20),
  'a JPEG header before text': Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    Buffer.from('texto'.repeat(100)),
  ]),
  'a PNG signature before text': Buffer.concat([whole.png.subarray(0, 8), Buffer.from('texto'.repeat(100))]),
  ...Object.fromEntries(
    TAKEN.flatMap((format) =>
      [0.3, 0.6, 0.95].map((part) => [
        `${format} cut off at ${part * 100} %`,
        whole[format].subarray(0, Math.floor(whole[format].length * part)),
      ]),
    ),
  ),
  ...Object.fromEntries(
    TAKEN.map((format) => [`${format} with a page behind it`, Buffer.concat([whole[format], html])]),
  ),
  'a PNG whose header lies about its width': lying,
  'a PNG whose header lies, with the right checksum': lyingWithCrc,
  'a PNG of no pixels': png(0, 0, Buffer.alloc(0)),
}
describe('what is no photo is refused', () => {
  for (const [what, content] of Object.entries(CASES)) it(`${what}`, async () => refused(content))

  for (const [what, content] of Object.entries({
    'more than 25 megapixels': png(6000, 6000, deflateSync(Buffer.alloc(6000 * 751))),
    'a decompression bomb: 60,000 × 60,000 pixels announced': png(
      60_000,
      60_000,
      deflateSync(Buffer.alloc(20_000_000)),
    ),
    'the largest size a header can name': png(2 ** 31 - 1, 2 ** 31 - 1, deflateSync(Buffer.alloc(100))),
    'a row of 30 million pixels': png(30_000_000, 1, deflateSync(Buffer.alloc(3_750_001))),
  }))
    it(`${what}, quickly and without the memory it asks for`, async () => {
      assert.ok(content.length < 200_000, `the file itself is small: ${content.length}`)
      const before = process.memoryUsage.rss()
      const spent = await cpuMs(async () => {
        for (let i = 0; i < 5; i++) await refused(content)
      })
      assert.ok(spent < 10_000, `${spent} ms`)
      assert.ok(process.memoryUsage.rss() - before < 200e6)
    })

  it('but exactly 25 megapixels are taken', async () => {
    const { grande } = await reencode(png(5000, 5000, deflateSync(Buffer.alloc(5000 * 626))), 'file')
    assert.equal((await sharp(grande).metadata()).width, 512)
  })
})
