/**
 * Spec part 8. Any origin may be allowed, since no foreign page has a token to send; the cookie of the console counts for our own
 * origin only (`console-cookie.ts`). Credentials are never allowed, and neither is the header of the console.
 */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-ID, Retry-After, ETag, Location, Idempotent-Replay, ' +
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Reset-After',
} as const

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
  'access-control-max-age': '86400',
} as const
