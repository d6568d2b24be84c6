import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Origin } from '../caller/caller.ts'
import type { AppError } from '../errors/catalogue.ts'
import { cookieOf, type FromConsole, sendCookie } from './console-cookie.ts'
import { originOf } from './origin.ts'

export type Authenticate = (secret: string, origin: Origin) => Promise<Caller | null>
/** An error: a key that was known, and why it does not work. */
export type AuthenticateBearer = (secret: string, origin: Origin) => Promise<Caller | AppError | null>

export interface Authentication {
  /** By an access token, or the key of a service account. */
  authenticate: AuthenticateBearer
  /** By the cookie of the console; without it there is no console. */
  authenticateCookie?: Authenticate
  isFromConsole: FromConsole
}

/** The caller by its access token or, where no header names one, by the cookie of the console; null without a valid one. */
export async function callerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, authenticateCookie, isFromConsole }: Authentication,
): Promise<Caller | AppError | null> {
  const { authorization } = request.headers
  if (authorization === undefined) {
    if (authenticateCookie === undefined || request.headers.cookie === undefined) return null
    return isFromConsole(request) ? callerByCookie(request, reply, authenticateCookie) : null
  }
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization) ?? []
  return token === undefined ? null : authenticate(token, originOf(request))
}

async function callerByCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticateCookie: Authenticate,
): Promise<Caller | null> {
  const value = cookieOf(request)
  const caller = value === null ? null : await authenticateCookie(value, originOf(request))
  if (caller === null) return null
  // A picture in the browser's cache is for our pages alone, too.
  reply.header('cross-origin-resource-policy', 'same-origin')
  if (caller.cookie) sendCookie(reply, caller.cookie)
  return caller
}
