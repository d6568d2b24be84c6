import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller/caller.ts'
import { AppError } from '../errors/catalogue.ts'
import { originOf } from './origin.ts'

/** Whether a request may pass, and the window that the headers tell of. */
export interface Quota {
  granted: boolean
  limit: number
  remaining: number
  resetsAt: Date
}

export interface RateLimitNeeds {
  /** Counts for the caller or, where nobody is known, for the address; waits no longer than the patience. */
  take(by: { caller: Caller | null; address: string | null }, patienceMs: number): Promise<Quota>
  clock: { now(): Date }
}

/** Counts a request, says so in its answer and refuses what is too much. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

const PATIENCE_MS = 1_000
/** A monitor wants to know whether the process answers, not whether its database does. */
const PATIENCE_OF_MONITORS_MS = 50

export function createRateLimit({ take, clock }: RateLimitNeeds): RateLimit {
  return async (request, reply) => {
    const { forMonitors = false } = request.routeOptions.config
    const by = { caller: request.caller, address: originOf(request).endereco_ip }
    const quota = await take(by, forMonitors ? PATIENCE_OF_MONITORS_MS : PATIENCE_MS)
    const resetAfter = Math.ceil((quota.resetsAt.getTime() - clock.now().getTime()) / 1000)
    const seconds = Math.max(quota.granted ? 0 : 1, resetAfter)
    reply.headers({
      'x-ratelimit-limit': quota.limit,
      'x-ratelimit-remaining': quota.remaining,
      'x-ratelimit-reset': Math.ceil(quota.resetsAt.getTime() / 1000),
      'x-ratelimit-reset-after': seconds,
    })
    if (!quota.granted && !forMonitors) throw new AppError('RATE_LIMITED', { retryAfter: seconds })
  }
}

const seconds = { type: 'integer', minimum: 0 }

/** For the OpenAPI document. */
export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Requisições permitidas na janela (minuto ou hora) que está mais perto de se esgotar',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': { description: 'As que restam nessa janela', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'Quando ela termina, em segundos desde 1970',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset-After': { description: 'Segundos até lá', schema: seconds },
}
export const RETRY_AFTER_HEADER = {
  'Retry-After': { description: 'Segundos até a próxima requisição permitida', schema: seconds },
}
