import { signal } from '@preact/signals'
import type { TipoAgravo } from '../../../src/domain/casos/enumeracoes.ts'
import { ApiError } from '../api/errors.ts'
import type { AnswerOf } from '../api/rows.ts'
import { sendForm } from '../api/upload.ts'
import { reached, waiting } from './connection.ts'
import { idioma } from './preferences.ts'
import { api, session } from './session.ts'

type Accepted = AnswerOf<'POST', '/api/v1/agravos/casos/bulk'>

const URL = '/api/v1/agravos/casos/bulk'
export const MAX_BYTES = 2 * 1024 ** 3
/** Milliseconds before the second and the third attempt. */
const PAUSES = [500, 2_000]
const MAX_WAITS = 5

/**
 * The file that was chosen, for as long as this tab lives: it goes on being sent when its screen is left, and is still there when a try failed or
 * lacked the disease.
 */
export interface Upload {
  file: File
  sent: number
  state: 'sending' | 'failed' | 'done'
  error: unknown
  /** Once the service has it. */
  jobId: string | null
}

export const upload = signal<Upload | null>(null)

let running: AbortController | null = null

/** Sends a file to be checked; nothing is stored by that. */
export async function sendFile(file: File, agravo: TipoAgravo | null): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  upload.value = { file, sent: 0, state: 'sending', error: null, jobId: null }
  const change = (more: Partial<Upload>) => {
    if (running === controller && upload.value !== null) upload.value = { ...upload.value, ...more }
  }
  const form = formOf({ formato: formatoOf(file.name), modo: 'validar', ignorar_erros: 'true' })
  if (agravo !== null) form.set('tipo_agravo', agravo)
  form.set('file', file)
  try {
    const onProgress = (sent: number) => change({ sent: Math.min(sent, file.size) })
    const { job_id } = await send(form, { signal: controller.signal, onProgress })
    change({ state: 'done', sent: file.size, jobId: job_id })
  } catch (error) {
    change({ state: 'failed', error })
  }
}

/** Forgets the file, and stops sending it. */
export function dropFile(): void {
  upload.value = null
  running?.abort()
  running = null
}

/** Imports the file of a dry run, which the service has kept. */
export function importValidated(
  validacao: string,
  ignorarErros: boolean,
  idempotencyKey: string,
): Promise<Accepted> {
  const form = formOf({ validacao, modo: 'importar', ignorar_erros: String(ignorarErros) })
  return send(form, { idempotencyKey })
}

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** By its name; the service looks at the content. */
const formatoOf = (name: string): string => /\.(xlsx|dbf|dbc)$/i.exec(name)?.[1]?.toLowerCase() ?? 'csv'

interface Sending {
  idempotencyKey?: string
  signal?: AbortSignal
  onProgress?: (sent: number) => void
}

/** As the client does with other requests: waits where it is told to, signs in again, and tries twice more; the key makes that safe. */
async function send(form: FormData, { idempotencyKey, ...options }: Sending): Promise<Accepted> {
  const key = idempotencyKey ?? crypto.randomUUID()
  for (let failures = 0, waits = 0, signedInAgain = false; ; ) {
    try {
      const answer = await sendForm(URL, form, { ...options, language: idioma(), idempotencyKey: key })
      reached(true)
      return answer as Accepted
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      reached(error.status !== 0)
      const { status, retryAfter } = error
      if (status === 401 && !signedInAgain) {
        signedInAgain = true
        // Stands until somebody has signed in over the screen.
        await api.get('/api/v1/usuarios/me', {})
        continue
      }
      if ((status === 429 || status === 503) && retryAfter !== null && waits++ < MAX_WAITS) {
        const goOn = waiting(retryAfter)
        await sleep(retryAfter * 1000, options.signal).finally(goOn)
        continue
      }
      const pause = PAUSES[failures++]
      if ((status !== 0 && status < 500) || pause === undefined) throw error
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

// Nothing of a person stays for the next one.
session.subscribe(({ kind }) => {
  if (kind === 'anonymous') dropFile()
})

addEventListener('beforeunload', (event) => {
  if (upload.value?.state === 'sending') event.preventDefault()
})
