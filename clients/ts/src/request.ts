import { errorOf, unreachable, VigiaError } from './errors.ts'
import { FORMS, KEYED } from './gerado.ts'
import type { Call, CallOptions, Fetch } from './types.ts'

export interface Connection {
  url: string
  fetch: Fetch
  language: string
  /** Attempts of a request that may be repeated. */
  attempts: number
}
type SendOptions = CallOptions & {
  token?: string | null
  /** The service knows a repeat without a key, too. */
  isRepeatable?: boolean
}

/** A longer `Retry-After` is an answer, not a pause. */
const MAX_WAIT_SECONDS = 120
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 8_000

const nameOf = ({ method, path }: Call) => `${method} ${path}`

/**
 * Sends a call until it is answered. Repeats GET and what carries a key after faults of the network, 429 and 503, as
 * `Retry-After` says: the key lets the service recognise the repeat.
 */
export async function send(connection: Connection, call: Call, options: SendOptions = {}): Promise<Response> {
  const key = KEYED.includes(nameOf(call)) ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const isRepeatable = options.isRepeatable || call.method === 'GET' || key !== undefined
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(connection, call, options, key)
    } catch (error) {
      const pause = error instanceof VigiaError ? pauseAfter(error, attempt) : null
      if (!isRepeatable || pause === null || attempt >= connection.attempts) throw error
      await sleep(pause, options.signal)
    }
  }
}

/** Milliseconds; null where a repeat would be refused as well. */
function pauseAfter({ status, code, retryAfter }: VigiaError, attempt: number): number | null {
  if (code !== 'UNREACHABLE' && status !== 429 && status !== 503) return null
  if (retryAfter === null) return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS)
  return retryAfter > MAX_WAIT_SECONDS ? null : retryAfter * 1_000
}

async function sendOnce(
  connection: Connection,
  call: Call,
  options: SendOptions,
  key?: string,
): Promise<Response> {
  const { signal, token } = options
  const body = bodyOf(call)
  const headers = {
    'Accept-Language': connection.language,
    ...(token && { Authorization: `Bearer ${token}` }),
    // Of forms, `fetch` writes the type itself.
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...options.headers,
  }
  const init = { method: call.method, headers, body: body ?? null, signal: signal ?? null }
  const response = await connection.fetch(urlOf(connection.url, call), init).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : unreachable(error)
  })
  if (!response.ok) throw await errorOf(response)
  return response
}

/** `/usuarios/{id}` with its params and query; `{idade: {gte: 60}}` becomes `idade[gte]=60`. */
export function urlOf(base: string, { path, params = {}, query = {} }: Omit<Call, 'method'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new TypeError(`${path}: ${name} is missing`)
    return encodeURIComponent(params[name])
  })
  const search = new URLSearchParams()
  const add = (name: string, value: unknown) => {
    if (Array.isArray(value)) search.append(name, value.join(','))
    else if (typeof value === 'object' && value !== null)
      for (const [operator, operand] of Object.entries(value)) add(`${name}[${operator}]`, operand)
    else if (value !== undefined && value !== null) search.append(name, String(value))
  }
  for (const [name, value] of Object.entries(query)) add(name, value)
  const prefix = path.startsWith('/.well-known/') ? '' : '/api/v1'
  return `${base}${prefix}${filled}${search.size > 0 ? `?${search}` : ''}`
}

/** Made anew for each attempt. */
function bodyOf(call: Call): string | FormData | URLSearchParams | undefined {
  const form = FORMS[nameOf(call)]
  if (form === undefined || call.body === undefined) return JSON.stringify(call.body)
  const data = form === 'urlencoded' ? new URLSearchParams() : new FormData()
  const fields = Object.entries(call.body as object).filter(([, value]) => value !== undefined)
  // Files last: the service reads what they are before they come.
  for (const [name, value] of fields) if (!(value instanceof Blob)) data.append(name, String(value))
  for (const [name, value] of fields) if (value instanceof Blob) (data as FormData).append(name, value)
  return data
}

/** JSON as what it is, no content as undefined, anything else as the response, to be read as a stream. */
export async function contentOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  return response.headers.get('content-type')?.startsWith('application/json') ? response.json() : response
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      return signal?.aborted ? reject(signal.reason) : resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
