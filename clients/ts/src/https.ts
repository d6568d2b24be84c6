import { Agent, type RequestOptions, request } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'
import type { Fetch } from './types.ts'

interface HttpsOptions {
  /** Certificates that are trusted beside those of Node, PEM. */
  ca?: string | undefined
  /** Told the bytes of a body that have been sent, piece by piece. */
  onSent?: (bytes: number) => void
}

/** `fetch` of Node over connections that trust further certificates, which the built-in one cannot without a package. */
export function httpsFetch({ ca, onSent = () => {} }: HttpsOptions): Fetch {
  const agent = new Agent({ keepAlive: true, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) })
  return async (url, init) => {
    const { method, headers, body, signal } = new Request(url, init)
    const options = { method, headers: Object.fromEntries(headers), agent, signal }
    return new Promise((resolve, reject) => {
      const outgoing = request(url, options as unknown as RequestOptions, (incoming) => {
        const status = incoming.statusCode ?? 0
        const isEmpty = status === 204 || status === 304
        if (isEmpty) incoming.resume()
        const content = isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream)
        resolve(new Response(content, { status, headers: incoming.headers as Record<string, string> }))
      }).on('error', reject)
      if (body === null) return outgoing.end()
      const sent = Readable.fromWeb(body as never).on('data', (piece) => onSent(piece.length))
      // An answer may come before all is sent, and says more than the broken pipe.
      pipeline(sent, outgoing).catch(() => {})
    })
  }
}
