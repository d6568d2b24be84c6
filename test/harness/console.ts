import type { Answer, RequestOptions, TestApp } from './app.ts'
import { PASSWORD } from './app.ts'

/** Headers of a browser's request from one of our own pages. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'x-vigia-console': '1' }

/** A browser with the console open: keeps the cookie it is sent, and nothing else. */
export interface Console {
  /** The value it has now; null when it was cleared. */
  value(): string | null
  send(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
}

export const cookieHeader = (value: string) => `__Host-vigia=${value}`

/** Value that an answer sets; null if it clears it, undefined if it sets none. */
export function cookieIn({ headers }: Answer): string | null | undefined {
  const header = headers['set-cookie']
  if (header === undefined) return undefined
  const [, value] = /^__Host-vigia=([^;]*);/.exec(String(header)) ?? []
  return value || null
}

export function browserOf(app: TestApp, value: string | null = null): Console {
  let kept = value
  return {
    value: () => kept,
    async send(method, path, body, options) {
      const answer = await app.anonymous.request(method, path, {
        ...(body !== undefined && { payload: JSON.stringify(body) }),
        headers: {
          ...OWN_PAGE,
          ...(kept !== null && { cookie: cookieHeader(kept) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...options?.headers,
        },
      })
      const set = cookieIn(answer)
      if (set !== undefined) kept = set
      return answer
    },
  }
}

/** Logs in by the console's own route. */
export async function openConsole(app: TestApp, email: string, more: object = {}): Promise<Console> {
  const browser = browserOf(app)
  const { status, text } = await browser.send('POST', '/auth/sessao', { email, senha: PASSWORD, ...more })
  if (status !== 200) throw new Error(`${status} ${text}`)
  return browser
}
