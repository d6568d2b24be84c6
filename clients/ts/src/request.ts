import { errorOf, VigiaError } from './errors.ts'
import { FORMS, KEYED } from './gerado.ts'
import { watchedFetch } from './silence.ts'
import type { Call, CallOptions, Fetch } from './types.ts'

/** `attempts`: of a request that may be repeated. `silence`: seconds. */
export type Connection = {
  url: string
  fetch: Fetch
  language: string
  attempts: number
  silence: number
}
type TokenOf = (refused?: string) => Promise<string | null>
/**
 * `tokenOf` gives a token, or another one than was refused. `isRepeatable`: the service knows a repeat without a key, too.
 * `isWhole`: JSON is read to its end, so that an answer that breaks off is repeated like one that never came.
 */
type SendOptions = CallOptions & { tokenOf?: TokenOf; isRepeatable?: boolean; isWhole?: boolean }

/** A longer `Retry-After` is an answer, not a pause. */
const MAX_PAUSE_MS = 120_000
const nameOf = ({ method, path }: Call) => `${method} ${path}`
/** By its name, or by a path that is filled in. */
const isKeyed = (call: Call) =>
  KEYED.some((name) => new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(nameOf(call)))

/**
 * Sends a call until it is answered. Repeats GET and what carries a key after faults of the network, 429 and 503, as
 * `Retry-After` says: the key lets the service recognise the repeat.
 */
export async function send(to: Connection, call: Call, options: SendOptions = {}): Promise<Response> {
  const { idempotencyKey = crypto.randomUUID(), ...plain } = options
  const used: SendOptions = isKeyed(call) ? { ...plain, idempotencyKey } : plain
  const isRepeatable = used.isRepeatable || call.method === 'GET' || used.idempotencyKey !== undefined
  const most = isRepeatable ? (used.attempts ?? to.attempts) : 1
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(to, call, used)
    } catch (error) {
      const pause = error instanceof VigiaError ? pauseAfter(error, attempt) : Infinity
      if (pause > MAX_PAUSE_MS || attempt >= most) throw error
      await sleep(pause, options.signal)
    }
  }
}

/** Milliseconds; endless where a repeat would be refused as well. */
function pauseAfter({ status, code, retryAfter }: VigiaError, attempt: number): number {
  const isLost = code === 'UNREACHABLE' || code === 'TIMEOUT'
  if (!isLost && status !== 429 && status !== 503) return Infinity
  return retryAfter === null ? Math.min(500 * 2 ** (attempt - 1), 8_000) : retryAfter * 1_000
}

async function sendOnce(to: Connection, call: Call, options: SendOptions): Promise<Response> {
  const { signal = null, tokenOf = async () => null, idempotencyKey: key } = options
  const token = await tokenOf()
  const body = bodyOf(call) ?? null
  const headers = {
    'Accept-Language': to.language,
    ...(token !== null && { Authorization: `Bearer ${token}` }),
    // Of forms, `fetch` writes the type itself.
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...options.headers,
  }
  const init = { method: call.method, headers, body, signal }
  const response = await watchedFetch(to.fetch, urlOf(to.url, call), init, to.silence)
  if (response.ok) return options.isWhole && isJson(response) ? wholeOf(response) : response
  const error = await errorOf(response)
  const other = error.code === 'UNAUTHORIZED' && token !== null ? await tokenOf(token) : token
  if (other === token || other === null) throw error
  return sendOnce(to, call, { ...options, tokenOf: async () => other })
}

export const isJson = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/json') ?? false

const wholeOf = async (response: Response) => new Response(await response.arrayBuffer(), response)

/** `/usuarios/{id}` with its params and query; `{idade: {gte: 60}}` becomes `idade[gte]=60`. */
export function urlOf(base: string, { path, params = {}, query = {} }: Omit<Call, 'method'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new TypeError(`${path}: ${name} is missing`)
    return encodeURIComponent(params[name])
  })
  const search = new URLSearchParams()
  const add = (name: string, value: unknown) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
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

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      return signal?.aborted ? reject(signal.reason) : resolve()
    }
    const timer = setTimeout(end, signal?.aborted ? 0 : ms)
    signal?.addEventListener('abort', end)
  })
}

/** Data of server-sent events, one after the other. A broken stream, or none at all, ends like one that was closed. */
export async function* dataOf(response: Response | null): AsyncGenerator<string> {
  const reader = response?.body?.getReader()
  const decoder = new TextDecoder()
  try {
    for (let text = ''; ; ) {
      const part = await reader?.read().catch(() => undefined)
      if (part?.value === undefined) return
      const blocks = (text + decoder.decode(part.value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks.flatMap((block) => block.match(/(?<=^data: ).*/gm)?.join('\n') ?? [])
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}
