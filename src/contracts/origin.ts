import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Origin } from '../domain/sessoes/login.ts'

const MAX_AGENT = 300

export function originOf(request: FastifyRequest): Origin {
  return {
    endereco_ip: addressOf(request.ip),
    agente: request.headers['user-agent']?.slice(0, MAX_AGENT) ?? null,
  }
}

/** Without the interface that a link-local address names (`fe80::1%eth0`); a proxy may also pass on what is none. */
function addressOf(ip: string): string | null {
  const [address = ''] = ip.split('%')
  return isIP(address) === 0 ? null : address
}
