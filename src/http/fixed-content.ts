import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The highest levels would take seconds for the largest file and save a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const ENCODINGS = {
  br: (content: Buffer) => promisify(brotliCompress)(content, BROTLI),
  gzip: (content: Buffer) => promisify(gzip)(content),
}
type Encoding = keyof typeof ENCODINGS

/** Static content, the same for everybody until the next start. */
export interface FixedContent {
  /** Sets the headers and returns the body; undefined with 304, when the client's cached copy is current. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | undefined>
}

/** Caches content compressed once per encoding, with an ETag for revalidation; costs both copies in memory. */
export function fixedContent(content: Buffer, cacheControl: string): FixedContent {
  // Weak: the same content in another encoding is other bytes.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`
  const compressed = new Map<Encoding, Promise<Buffer>>()
  const inEncoding = (encoding: Encoding) => {
    const ready = compressed.get(encoding) ?? ENCODINGS[encoding](content)
    compressed.set(encoding, ready)
    return ready
  }
  return {
    async answer({ headers }, reply) {
      reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' })
      if (isKnown(headers['if-none-match'], etag)) {
        reply.code(304)
        return undefined
      }
      const encoding = chooseEncoding(headers['accept-encoding'])
      if (encoding === null) return content
      reply.header('content-encoding', encoding)
      return inEncoding(encoding)
    },
  }
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  const tags = ifNoneMatch?.split(',').map(opaque) ?? []
  return tags.includes('*') || tags.includes(opaque(etag))
}

/** The first of our encodings that the client accepts; `q=0` excludes one. */
export function chooseEncoding(acceptEncoding = ''): Encoding | null {
  const accepted = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return [name, parameters.every((parameter) => !/^q=0(\.0*)?$/.test(parameter))]
    }),
  )
  const names = Object.keys(ENCODINGS) as Encoding[]
  return names.find((name) => accepted.get(name) ?? accepted.get('*') ?? false) ?? null
}
