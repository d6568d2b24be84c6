import { randomUUID } from 'node:crypto'

const USABLE = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-ID` when it is harmless to echo and to log, else a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && USABLE.test(header) ? header : randomUUID()
}
