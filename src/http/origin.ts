import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Origin } from '../caller/caller.ts'

const MAX_AGENT = 300

/** The client's address (behind a trusted proxy, the one it forwards) and what it says of itself. */
export function originOf(request: FastifyRequest): Origin {
  // Without the interface that a link-local address names (`fe80::1%eth0`); undefined once the client has hung up.
  const [address = ''] = (request.ip ?? '').split('%')
  return {
    endereco_ip: isIP(address) === 0 ? null : address,
    agente: request.headers['user-agent']?.slice(0, MAX_AGENT) ?? null,
    request_id: request.id,
  }
}

/** The same, with the language that the browser states; null if it states none. */
export function navegadorOf(request: FastifyRequest): { origin: Origin; idioma: string | null } {
  const isStated = request.headers['accept-language'] !== undefined
  return { origin: originOf(request), idioma: isStated ? request.language : null }
}
