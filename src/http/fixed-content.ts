import type { FastifyReply, FastifyRequest } from 'fastify'
import { ENCODINGS, type EncodedContent, type Encoding, encodedContent } from '../system/encoded-content.ts'
import { isCurrent } from './etag.ts'

/** Static content, the same for everybody until the next start. */
export interface FixedContent {
  /** Sets the headers and returns the body; undefined with 304, when the client's cached copy is current. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | undefined>
}

export function fixedContent(content: Buffer, cacheControl: string): FixedContent {
  const encoded = encodedContent(content)
  return { answer: (request, reply) => answerEncoded(encoded, cacheControl, request, reply) }
}

/** In the encoding that the client prefers, or 304 and undefined. */
export async function answerEncoded(
  content: EncodedContent,
  cacheControl: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer | undefined> {
  const encoding = chooseEncoding(headers['accept-encoding'])
  const etag = content.etagIn(encoding)
  reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' })
  if (isCurrent(headers['if-none-match'], etag)) {
    reply.code(304)
    return undefined
  }
  if (encoding !== null) reply.header('content-encoding', encoding)
  return content.bytesIn(encoding)
}

/** The first of our encodings that the client accepts; `q=0` excludes one. */
export function chooseEncoding(acceptEncoding = ''): Encoding | null {
  const accepted = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return [name, parameters.every((parameter) => !/^q=0(\.0*)?$/.test(parameter))]
    }),
  )
  return ENCODINGS.find((name) => accepted.get(name) ?? accepted.get('*') ?? false) ?? null
}
