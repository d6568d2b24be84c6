import { isIP } from 'node:net'
import type { TargetPolicy } from './policy.ts'

export type TargetProblem = 'INVALID_URL' | 'NOT_HTTPS' | 'CREDENTIALS' | 'PRIVATE_ADDRESS' | 'PORT'

/** A URL as the connection needs it. Read once: what was judged is what is connected to. */
export interface Target {
  secure: boolean
  /** A name without a final dot, or an address without brackets. */
  host: string
  port: number
  /** Value of the `Host` header. */
  authority: string
  /** Path and query; a fragment is dropped. */
  path: string
}

const MAX_LENGTH = 2_048
/** Spelt out: a parser forgives missing or extra slashes, backslashes and blanks, and a reader is deceived by them. */
const SPELT_OUT = /^[a-z][a-z0-9+.-]*:\/\/[^/\\\p{C}\p{Z}][^\\\p{C}\p{Z}]*$/iu
/** Also an empty name (`https://@host`), which the URL parser drops. */
const USER_INFO = /^[^:]+:\/\/[^/?#]*@/
const NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/
/** Names that only a machine or a local network knows (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const LOCAL_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/
/** Above 1,023, where browsers do not let a page post either, since another protocol might obey (Fetch, "bad port"). */
const OTHER_PROTOCOLS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

/** Problem of a target as it is written; null when it may be tried. Names are checked again when they resolve. */
export function problemOfTarget(url: string, policy: TargetPolicy): TargetProblem | null {
  const read = readTarget(url, policy)
  return typeof read === 'string' ? read : null
}

export function readTarget(text: string, policy: TargetPolicy): Target | TargetProblem {
  const url = text.length <= MAX_LENGTH && SPELT_OUT.test(text) ? URL.parse(text) : null
  if (url === null || url.href.length > MAX_LENGTH) return 'INVALID_URL'
  const secure = url.protocol === 'https:'
  if (!secure && !(policy.plainHttp && url.protocol === 'http:')) return 'NOT_HTTPS'
  if (USER_INFO.test(text)) return 'CREDENTIALS'

  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const isAddress = isIP(host) !== 0
  if (!isAddress && !NAME.test(host)) return 'INVALID_URL'
  if (isAddress ? !policy.allows(host) : !policy.localNames && LOCAL_NAME.test(host)) return 'PRIVATE_ADDRESS'

  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  if (!isPortForReceivers(port, policy)) return 'PORT'

  const name = isIP(host) === 6 ? `[${host}]` : host
  return {
    secure,
    host,
    port,
    authority: url.port === '' ? name : `${name}:${port}`,
    path: url.pathname + url.search,
  }
}

function isPortForReceivers(port: number, { plainHttp }: TargetPolicy): boolean {
  if (port === 443 || (port === 80 && plainHttp)) return true
  return port >= 1024 && !OTHER_PROTOCOLS.has(port)
}
