import type { CustomFetch } from 'openid-client'

/** Of each request to a provider: discovery, keys, token, claims. */
export const PROVIDER_TIMEOUT_MS = 5_000
/** Of an answer: discovery documents and key sets have some kilobytes. */
const MAX_BYTES = 256 * 1024

/** A provider that is away, too slow or too long. A `TypeError`, as of `fetch`: the library passes those on as they are. */
export class Unreachable extends TypeError {}

/**
 * `fetch` with a deadline for the whole answer and a limit of its size. Addresses come from the provider's discovery document:
 * only those that the issuer itself could have are asked. Redirects are not followed.
 */
export function boundedFetch(issuer: string): CustomFetch {
  const { protocol: issuerProtocol, hostname: issuerHost } = new URL(issuer)
  return async (url, { body, headers, method, signal }) => {
    const { protocol, hostname } = new URL(url)
    const isOwnTrial = protocol === issuerProtocol && hostname === issuerHost
    if (protocol !== 'https:' && !isOwnTrial) throw new Unreachable('an address without TLS')
    const deadline = AbortSignal.timeout(PROVIDER_TIMEOUT_MS)
    const response = await fetch(url, {
      ...(body != null && { body: body as string | URLSearchParams }),
      headers,
      method,
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    }).catch(unreachable)
    if (response.status >= 500) throw new Unreachable('a fault of the provider')
    const bytes = await readAtMost(response, MAX_BYTES)
    return new Response(bytes.length === 0 ? null : bytes, response)
  }
}

function unreachable(error: unknown): never {
  throw new Unreachable('no answer', { cause: error })
}

async function readAtMost(response: Response, limit: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > limit) throw new Unreachable('too long an answer')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Unreachable ? error : unreachable(error)
  }
  return Buffer.concat(chunks)
}
