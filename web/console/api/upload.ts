import { errorOf, unreachable } from './errors.ts'

export interface FormOptions {
  language: string
  /** Makes it safe to send again; null where the service takes none. */
  idempotencyKey: string | null
  signal?: AbortSignal
  onProgress?(sent: number, total: number): void
}

/** Sends a form and tells how far it is, which `fetch` cannot. */
export function sendForm(url: string, form: FormData, options: FormOptions): Promise<unknown> {
  const { language, idempotencyKey, signal, onProgress } = options
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('Accept-Language', language)
    request.setRequestHeader('X-Vigia-Console', '1')
    if (idempotencyKey !== null) request.setRequestHeader('Idempotency-Key', idempotencyKey)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total)
    request.onerror = () => reject(unreachable())
    request.onabort = () => reject(signal?.reason)
    request.onload = () => {
      const { status, responseText } = request
      if (status >= 200 && status < 300) return resolve(JSON.parse(responseText))
      return void errorOf(new Response(responseText, { status, headers: headersOf(request) })).then(reject)
    }
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

const NAMES = ['retry-after', 'x-request-id']

const headersOf = (request: XMLHttpRequest): [string, string][] =>
  NAMES.flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name)
    return value === null ? [] : [[name, value]]
  })
