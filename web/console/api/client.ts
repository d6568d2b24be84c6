import { takeEarly } from './early.ts'
import { ApiError, errorOf, unreachable } from './errors.ts'
import type { AnswerOf, Method, PathOf, QueryValue, RequestOf } from './rows.ts'
import { urlOf } from './url.ts'

/** Told by the client, answered by `state/`. */
export interface ApiHooks {
  language(): string
  /** Number of the account that is signed in; null: not known, or nobody. */
  account(): number | null
  /** The session is over: resolves to true once somebody has signed in again, false where nobody will. */
  signInAgain(): Promise<boolean>
  passwordMustChange(): void
  /** A group of the account requires a second factor, which it does not have. */
  mfaIsMissing(): void
  /** A request waits that many seconds before it goes on; calls the answer when it does. */
  waiting(seconds: number): () => void
  reached(isReachable: boolean): void
}

export interface Options {
  signal?: AbortSignal
  /** Makes a POST safe to repeat; a UUID made when the form is opened. */
  idempotencyKey?: string
  /** Entity tag of the version that a change is made to; another one is refused with 409. */
  ifMatch?: string | null
  /** Told the entity tag of the answer. */
  onTag?(etag: string | null): void
  /** For the routes of the session itself: 401 is an answer there. */
  withoutSession?: boolean
  /** Statuses beyond 2xx whose body is the answer. */
  accepts?: number[]
  /** The answer is a file: its bytes, as a blob. */
  isFile?: boolean
}

interface Asked {
  params?: Record<string, string | number>
  query?: Record<string, QueryValue>
  body?: unknown
}

/** 401 of routes that ask for the password again: the session goes on. */
const WRONG_PASSWORD = 'INVALID_CURRENT_PASSWORD'
/** Milliseconds before the second and the third attempt. */
const PAUSES = [500, 2_000]
/** Refusals that name their end are waited for this many times. */
const MAX_WAITS = 5
const MAX_WAIT_SECONDS = 120
const CONSOLE_HEADER = { 'X-Vigia-Console': '1' }

/** Functions of the browser; replaced in tests. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Send = (method: Method, path: string, asked?: Asked, options?: Options) => Promise<unknown>

export interface Api {
  get<P extends PathOf<'GET'>>(
    path: P,
    asked?: RequestOf<'GET', P>,
    options?: Options,
  ): Promise<AnswerOf<'GET', P>>
  post<P extends PathOf<'POST'>>(
    path: P,
    asked: RequestOf<'POST', P>,
    options?: Options,
  ): Promise<AnswerOf<'POST', P>>
  put<P extends PathOf<'PUT'>>(
    path: P,
    asked: RequestOf<'PUT', P>,
    options?: Options,
  ): Promise<AnswerOf<'PUT', P>>
  delete<P extends PathOf<'DELETE'>>(
    path: P,
    asked: RequestOf<'DELETE', P>,
    options?: Options,
  ): Promise<AnswerOf<'DELETE', P>>
  /** Without types of a row. */
  send: Send
}

export function createApi(hooks: ApiHooks, platform: Platform = BROWSER): Api {
  const waitFor = async ({ retryAfter }: ApiError, signal?: AbortSignal) => {
    const seconds = retryAfter ?? 0
    const goOn = hooks.waiting(seconds)
    await platform.sleep(seconds * 1000, signal).finally(goOn)
  }
  const send: Send = async (method, path, asked = {}, options = {}) => {
    const init = initOf(hooks, method, asked, options)
    const account = hooks.account()
    const perform = () => {
      // Another account than the one that asked: it must not send this.
      if (account !== null && account !== hooks.account()) throw new DOMException('', 'AbortError')
      return attempt(hooks, platform.fetch(urlOf(path, asked), init), options)
    }
    const isRepeatable = method === 'GET' || options.idempotencyKey !== undefined
    for (let failures = 0, waits = 0, signedInAgain = false; ; ) {
      try {
        return await perform()
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code === 'PASSWORD_CHANGE_REQUIRED') hooks.passwordMustChange()
        if (error.code === 'MFA_ENROLMENT_REQUIRED') hooks.mfaIsMissing()
        if (
          error.status === 401 &&
          error.code !== WRONG_PASSWORD &&
          !options.withoutSession &&
          !signedInAgain
        ) {
          signedInAgain = await hooks.signInAgain()
          if (signedInAgain) continue
        }
        if (canWait(error, isRepeatable) && waits++ < MAX_WAITS) {
          await waitFor(error, options.signal)
          continue
        }
        const pause = PAUSES[failures++]
        if (!isRepeatable || !isFault(error) || pause === undefined) throw error
        await platform.sleep(pause, options.signal)
      }
    }
  }
  const by = (method: Method) => (path: string, asked?: object, options?: Options) =>
    send(method, path, asked as Asked, options)
  return { get: by('GET'), post: by('POST'), put: by('PUT'), delete: by('DELETE'), send } as Api
}

/** 429 refuses before anything is done; after a 503 something may have been. */
function canWait({ status, retryAfter }: ApiError, isRepeatable: boolean): boolean {
  if (retryAfter === null || retryAfter > MAX_WAIT_SECONDS) return false
  return status === 429 || (status === 503 && isRepeatable)
}

const isFault = ({ status }: ApiError) => status === 0 || status >= 500

function initOf(hooks: ApiHooks, method: Method, { body }: Asked, options: Options): RequestInit {
  return {
    method,
    credentials: 'same-origin',
    headers: {
      'Accept-Language': hooks.language(),
      ...CONSOLE_HEADER,
      // Of a form with files the browser writes the type itself, with its boundary.
      ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
      ...(options.idempotencyKey !== undefined && { 'Idempotency-Key': options.idempotencyKey }),
      ...(options.ifMatch && { 'If-Match': options.ifMatch }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  }
}

async function attempt(
  hooks: ApiHooks,
  sent: Promise<Response>,
  { accepts = [], signal, onTag, isFile = false }: Options,
): Promise<unknown> {
  const response = await sent.catch((error: unknown) => {
    if (signal?.aborted) throw error
    hooks.reached(false)
    throw unreachable()
  })
  hooks.reached(true)
  const isAnswer = response.ok || (accepts.includes(response.status) && !(await isRefusal(response)))
  if (!isAnswer) throw await errorOf(response)
  onTag?.(response.headers.get('etag'))
  if (response.status === 204) return undefined
  return isFile ? response.blob() : response.json()
}

/** A status that may be an answer is a refusal all the same where a service that is full, or what stands before it, gave it. */
async function isRefusal(response: Response): Promise<boolean> {
  const read = response.clone().json() as Promise<object | null>
  const body = await read.catch(() => null)
  return body === null || 'error' in body
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const BROWSER: Platform = {
  fetch: (url, init) => (init.method === 'GET' ? takeEarly(url) : undefined) ?? fetch(url, init),
  sleep,
}
