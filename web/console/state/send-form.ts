import { ApiError } from '../api/errors.ts'
import { sendForm } from '../api/upload.ts'
import { reached, waiting } from './connection.ts'
import { idioma } from './preferences.ts'
import { api, isOfSession, owner } from './session.ts'

/** Milliseconds before the second and the third attempt. */
const PAUSES = [500, 2_000]
const MAX_WAITS = 5

interface Sending {
  /** Null where the service takes none: what it may have stored is not sent twice. */
  idempotencyKey?: string | null
  signal?: AbortSignal
  onProgress?: (sent: number) => void
}

/** As the client does with other requests: waits where it is told to, signs in again, and tries twice more; the key makes that safe. */
export async function sendAgain(
  url: string,
  form: FormData,
  { idempotencyKey, ...options }: Sending,
): Promise<unknown> {
  const key = idempotencyKey === undefined ? crypto.randomUUID() : idempotencyKey
  const account = owner.value
  for (let failures = 0, waits = 0, signedInAgain = false; ; ) {
    try {
      // As in the client: nobody sends what another person asked for.
      if (owner.value !== account) throw new DOMException('', 'AbortError')
      const answer = await sendForm(url, form, { ...options, language: idioma(), idempotencyKey: key })
      reached(true)
      return answer
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      reached(error.status !== 0)
      const { status, retryAfter } = error
      if (isOfSession(error) && !signedInAgain) {
        signedInAgain = true
        // Stands until somebody has signed in over the screen; what must be done first is shown by the client.
        await api.get('/api/v1/usuarios/me', {})
        continue
      }
      if ((status === 429 || status === 503) && retryAfter !== null && waits++ < MAX_WAITS) {
        const goOn = waiting(retryAfter)
        await sleep(retryAfter * 1000, options.signal).finally(goOn)
        continue
      }
      const pause = PAUSES[failures++]
      if (key === null || (status !== 0 && status < 500) || pause === undefined) throw error
      await sleep(pause, options.signal)
    }
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
