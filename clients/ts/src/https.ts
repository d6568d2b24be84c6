import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'
import { silent } from './errors.ts'
import { SILENCE_S } from './silence.ts'
import type { Fetch } from './types.ts'

/**
 * `ca`: certificates that are trusted beside those of Node, PEM. `onSent` is told the bytes of a body, piece by piece. `silence`:
 * seconds in which nothing comes and nothing more goes out.
 */
type HttpsOptions = { ca?: string | undefined; onSent?: (bytes: number) => void; silence?: number }

/** `fetch` of Node over connections that trust further certificates, which the built-in one cannot without a package. */
export function httpsFetch({ ca, onSent = () => {}, silence = SILENCE_S }: HttpsOptions): Fetch {
  const agent = new Agent({ keepAlive: true, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) })
  return async (url, init) => {
    const { method, headers, body, signal } = new Request(url, init)
    return new Promise((resolve, reject) => {
      const timeout = silence * 1_000
      const options = { method, headers: Object.fromEntries(headers), agent, signal, timeout } as never
      const outgoing = request(url, options, (incoming) => {
        // From here on the reader watches: a slow one is no silence.
        incoming.setTimeout(0)
        const status = incoming.statusCode ?? 0
        const content = status === 204 || status === 304 ? null : (Readable.toWeb(incoming) as ReadableStream)
        if (content === null) incoming.resume()
        resolve(new Response(content, { status, headers: incoming.headers as Record<string, string> }))
      }).on('error', reject)
      outgoing.on('timeout', () => outgoing.destroy(silent(silence)))
      if (body === null) return outgoing.end()
      const sent = Readable.fromWeb(body as never).on('data', (piece) => onSent(piece.length))
      // An answer may come before all is sent, and says more than the broken pipe.
      pipeline(sent, outgoing).catch(() => {})
    })
  }
}
