import type { FastifyReply, FastifyRequest } from 'fastify'
import { compress } from '../system/encoded-content.ts'
import { etagInEncoding } from './etag.ts'
import { chooseEncoding } from './fixed-content.ts'

/** Less fits into one packet as it is. */
const LEAST_BYTES = 1024
/** As fast as gzip, and smaller. */
const BROTLI_QUALITY = 4
const READING = new Set(['GET', 'HEAD'])
/** Of answers that tell who a patient is. */
const IDENTIFYING = 'identificado'

/**
 * True for readings without secrets. The size of a compressed answer tells how much of it repeats: whoever plants texts beside
 * a secret and sees the sizes could guess it (BREACH). What shows a secret is a POST (tokens, second factor, webhook secret)
 * or is read with `identificado`.
 */
export function mayCompress({ method, query }: FastifyRequest): boolean {
  if (!READING.has(method)) return false
  const { [IDENTIFYING]: identified = 'false' } = query as Record<string, unknown>
  return identified === 'false'
}

/** Compresses a body if the client asks for it and it is large enough; a strong entity tag becomes that of the encoding. */
export async function compressed(
  body: string | Buffer,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<string | Buffer> {
  const encoding = Buffer.byteLength(body) < LEAST_BYTES ? null : chooseEncoding(headers['accept-encoding'])
  if (encoding === null || reply.hasHeader('content-encoding')) return body
  const etag = reply.getHeader('etag')
  if (etag !== undefined) reply.header('etag', etagInEncoding(String(etag), encoding))
  reply.header('content-encoding', encoding)
  return compress(Buffer.from(body as string), encoding, BROTLI_QUALITY)
}
