import type { FastifyRequest } from 'fastify'
import type { Caller, Origin } from '../caller/caller.ts'
import { originOf } from './origin.ts'

export type Authenticate = (accessToken: string, origin: Origin) => Promise<Caller | null>

/** The caller by its access token; null without a valid one. */
export async function callerOf(request: FastifyRequest, authenticate: Authenticate): Promise<Caller | null> {
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  return token === undefined ? null : authenticate(token, originOf(request))
}
