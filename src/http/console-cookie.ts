import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallerCookie } from '../caller/caller.ts'

/**
 * Cookie of the console. `__Host-`: only over TLS, only for this host, set by no other. It counts for requests of our own
 * pages alone: `SameSite` keeps it from other sites, `Sec-Fetch-Site` from other origins, and the header of the console from
 * everything that a page can send without a preflight.
 */
const NAME = '__Host-vigia'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const REMEMBERED_SECONDS = 30 * 86_400
/** 256 bits in base64url. */
const VALUE = /^[\w-]{43}$/

/** Never among the headers that a preflight allows (`cors.ts`). */
const CONSOLE_HEADER = 'x-vigia-console'
const READING = new Set(['GET', 'HEAD'])

/** Value of the cookie, whoever sent it; null where there is none, or more than one. */
export const cookieOf = (request: FastifyRequest): string | null => soleCookie(request, NAME)

function soleCookie({ headers }: FastifyRequest, name: string): string | null {
  const pairs = headers.cookie?.split(';').map((pair) => pair.trim()) ?? []
  const [value, ...others] = pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return value !== undefined && others.length === 0 && VALUE.test(value) ? value : null
}

/** Sends the value that the caller's cookie is to have; `reply` keeps one. */
export function sendCookie(reply: FastifyReply, { replacement, lembrar }: CallerCookie): void {
  if (replacement === null) return
  const age = lembrar ? `; Max-Age=${REMEMBERED_SECONDS}` : ''
  setCookie(reply, `${NAME}=${replacement}; ${ATTRIBUTES}${age}`)
}

/** Nothing is sent after it. */
export function clearCookie(reply: FastifyReply, cookie: CallerCookie): void {
  cookie.replacement = null
  setCookie(reply, `${NAME}=; ${ATTRIBUTES}; Max-Age=0`)
}

/** Fastify adds to the cookies there are. */
function setCookie(reply: FastifyReply, cookie: string): void {
  reply.removeHeader('set-cookie')
  reply.header('set-cookie', cookie)
}

/**
 * Cookie of a single sign-on under way, which binds it to the browser that began it. `Lax`: the provider sends the browser back
 * from another site.
 */
const SSO_NAME = '__Host-vigia-sso'
const SSO_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const ssoCookieOf = (request: FastifyRequest): string | null => soleCookie(request, SSO_NAME)

/** Beside the other cookies of the answer; null clears it. */
export function sendSsoCookie(reply: FastifyReply, value: string | null, seconds: number): void {
  const age = value === null ? 0 : seconds
  reply.header('set-cookie', `${SSO_NAME}=${value ?? ''}; ${SSO_ATTRIBUTES}; Max-Age=${age}`)
}

export type FromConsole = (request: FastifyRequest) => boolean

/** True for requests that only a page of our own origin can make; `publicUrl` is its address, where it is configured. */
export function consoleProof(publicUrl: string | null): FromConsole {
  const configured = publicUrl === null ? null : new URL(publicUrl).origin
  const isOwn = (origin: string | undefined, host: string) =>
    origin !== undefined && (origin === configured || origin === `https://${host.toLowerCase()}`)
  return (request) => {
    const { method, headers } = request
    const site = headers['sec-fetch-site']
    // Browsers of before 2023 do not say; they name the origin of what is no plain reading.
    const isSameOrigin = site === undefined ? isOwn(headers.origin, request.host) : site === 'same-origin'
    return isSameOrigin && (READING.has(method) || headers[CONSOLE_HEADER] === '1')
  }
}
