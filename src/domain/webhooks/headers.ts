import { type Problem, problem } from '../../errors/catalogue.ts'

/** Custom headers of deliveries, usually credentials for the receiver. */

export const MAX_HEADERS = 20
const MAX_NAME = 100
const MAX_VALUE = 2_000
/** Shown in place of a value; sent back, it leaves the value unchanged. */
export const MASKED = '********'

/** Headers that frame the message, name its parties, or are set by the service. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'cookie2',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
])
const RESERVED_BEGINNINGS = ['webhook-', 'x-webhook-', 'proxy-', 'sec-', 'x-forwarded-', ':']

export function headerProblems(headers: Record<string, string>): Problem[] {
  const names = Object.keys(headers)
  if (names.length > MAX_HEADERS) return [problem('body', ['headers'], 'TOO_MANY', { limit: MAX_HEADERS })]
  const seen = new Set<string>()
  return names.flatMap((name): Problem[] => {
    const path = ['headers', name]
    const plain = name.toLowerCase()
    const value = headers[name] as string
    if (name.length > MAX_NAME || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      return [problem('body', ['headers'], 'INVALID_FORMAT', { expected: 'header-name' })]
    if (RESERVED.has(plain) || RESERVED_BEGINNINGS.some((beginning) => plain.startsWith(beginning)))
      return [problem('body', path, 'FORBIDDEN_HEADER', {})]
    if (seen.has(plain)) return [problem('body', path, 'REPEATED', {})]
    seen.add(plain)
    // No stored value has this name that the mask could stand for.
    if (value === MASKED) return [problem('body', path, 'REQUIRED', {})]
    if (value.length > MAX_VALUE) return [problem('body', path, 'TOO_LONG', { limit: MAX_VALUE })]
    // Printable ASCII only: no line breaks, no bytes that two parsers could read differently.
    if (!/^[\x20-\x7e]*$/.test(value) || value !== value.trim())
      return [problem('body', path, 'INVALID_FORMAT', { expected: 'header-value' })]
    return []
  })
}

/** Hides the values, which may be secrets. */
export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, MASKED]))
}

/** Puts stored values in the place of masks that a client sent back. */
export function unmaskHeaders(
  sent: Record<string, string>,
  stored: Record<string, string>,
): Record<string, string> {
  const before = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      value === MASKED ? (before.get(name.toLowerCase()) ?? value) : value,
    ]),
  )
}
