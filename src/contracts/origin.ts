import type { FastifyRequest } from 'fastify'
import type { Origin } from '../domain/sessoes/login.ts'

const MAX_AGENT = 300

export function originOf(request: FastifyRequest): Origin {
  return { endereco_ip: request.ip, agente: request.headers['user-agent']?.slice(0, MAX_AGENT) ?? null }
}
