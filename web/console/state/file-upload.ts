import { type Signal, signal } from '@preact/signals'
import { sendAgain } from './send-form.ts'
import { tellSending } from './sending.ts'
import { owner } from './session.ts'

/** Parts that a file may not say, by the name of their field. */
export type UploadForm = Record<string, string>

/** The file that was chosen, for as long as this tab lives: it is sent once to be checked and once to be imported. */
export interface Upload {
  file: File
  form: UploadForm
  sent: number
  state: 'sending' | 'failed' | 'done'
  error: unknown
  /** Check that the service made of it. */
  jobId: string | null
}

interface Accepted {
  job_id: string
}

export interface FileUpload {
  current: Signal<Upload | null>
  /** Sends a file to be checked; nothing is stored by that. */
  check(file: File, form: UploadForm): Promise<void>
  /** Keeps a file that was chosen again after its check. */
  keep(file: File, form: UploadForm, jobId: string): void
  drop(): void
  /** Forgets a file that arrived, once its import is over; another one on its way goes on. */
  dropServed(): void
  /** Imports the file of a check, by sending it again. */
  send(upload: Upload, ignorarErros: boolean, idempotencyKey: string): Promise<Accepted>
}

/** The upload of one kind of import, on the screen `path`; `url` takes the file, with `modo` and `ignorar_erros`. */
export function createUpload(url: string, path: string): FileUpload {
  const current = signal<Upload | null>(null)
  let running: AbortController | null = null
  const check = async (file: File, form: UploadForm) => {
    running?.abort()
    const controller = new AbortController()
    running = controller
    current.value = { file, form, sent: 0, state: 'sending', error: null, jobId: null }
    const change = (more: Partial<Upload>) => {
      if (running === controller && current.value !== null) current.value = { ...current.value, ...more }
    }
    try {
      const onProgress = (sent: number) => change({ sent: Math.min(sent, file.size) })
      const body = formOf(file, { ...form, modo: 'validar', ignorar_erros: 'true' })
      const { job_id } = (await sendAgain(url, body, { signal: controller.signal, onProgress })) as Accepted
      change({ state: 'done', sent: file.size, jobId: job_id })
    } catch (error) {
      change({ state: 'failed', error })
    }
  }
  const drop = () => {
    current.value = null
    running?.abort()
    running = null
  }
  // Nothing of a person stays for the next one.
  owner.subscribe(drop)
  current.subscribe((now) => tellSending(path, now))
  addEventListener('beforeunload', (event) => {
    if (current.value?.state === 'sending') event.preventDefault()
  })
  return {
    current,
    check,
    keep(file, form, jobId) {
      current.value = { file, form, sent: file.size, state: 'done', error: null, jobId }
    },
    drop,
    dropServed() {
      if (current.peek()?.state === 'done') drop()
    },
    send({ file, form }, ignorarErros, idempotencyKey) {
      const body = formOf(file, { ...form, modo: 'importar', ignorar_erros: String(ignorarErros) })
      return sendAgain(url, body, { idempotencyKey }) as Promise<Accepted>
    },
  }
}

function formOf(file: File, fields: UploadForm): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file)
  return form
}
