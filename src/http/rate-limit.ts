import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller/caller.ts'
import { AppError } from '../errors/catalogue.ts'
import { originOf } from './origin.ts'

/** The decision, and the window that the headers describe. */
export interface Quota {
  granted: boolean
  limit: number
  remaining: number
  resetsAt: Date
}

export interface RateLimitNeeds {
  /** Counts for the caller or, without one, for the address; resolves within the time-out. */
  take(
    by: { caller: Caller | null; address: string | null; isPublic: boolean },
    timeoutMs: number,
  ): Promise<Quota>
  clock: { now(): Date }
}

/** Counts a request, sets the `X-RateLimit-*` headers and throws RATE_LIMITED beyond the limit. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A slow database delays a request by no more than this before the limit fails open. */
const TIMEOUT_MS = 1_000
/** Monitors ask whether the process answers, not whether its database does. */
const MONITOR_TIMEOUT_MS = 50

export function createRateLimit({ take, clock }: RateLimitNeeds): RateLimit {
  return async (request, reply) => {
    const { forMonitors = false, isPublic = false } = request.routeOptions.config
    const by = { caller: request.caller, address: originOf(request).endereco_ip, isPublic }
    const quota = await take(by, forMonitors ? MONITOR_TIMEOUT_MS : TIMEOUT_MS)
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
