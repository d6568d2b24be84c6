import { signal } from '@preact/signals'
import type { AnswerOf } from '../api/rows.ts'
import { sendAgain } from './send-form.ts'
import { session } from './session.ts'

type Accepted = AnswerOf<'POST', '/api/v1/series/bulk'>

const URL = '/api/v1/series/bulk'

/** Parts that a file may not say; the address of the wizard holds them. */
export const FORM_NAMES = ['serie', 'municipio', 'estado', 'ano'] as const
export type SeriesForm = Partial<Record<(typeof FORM_NAMES)[number], string>>

/** The file that was chosen, for as long as this tab lives: it is sent once to be checked and once to be imported. */
export interface SeriesUpload {
  file: File
  form: SeriesForm
  sent: number
  state: 'sending' | 'failed' | 'done'
  error: unknown
  /** Check that the service made of it. */
  jobId: string | null
}

export const seriesUpload = signal<SeriesUpload | null>(null)

let running: AbortController | null = null

/** Sends a file to be checked; nothing is stored by that. */
export async function checkSeries(file: File, form: SeriesForm): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  seriesUpload.value = { file, form, sent: 0, state: 'sending', error: null, jobId: null }
  const change = (more: Partial<SeriesUpload>) => {
    if (running === controller && seriesUpload.value !== null)
      seriesUpload.value = { ...seriesUpload.value, ...more }
  }
  try {
    const onProgress = (sent: number) => change({ sent: Math.min(sent, file.size) })
    const body = formOf(file, { ...form, modo: 'validar', ignorar_erros: 'true' })
    const { job_id } = (await sendAgain(URL, body, { signal: controller.signal, onProgress })) as Accepted
    change({ state: 'done', sent: file.size, jobId: job_id })
  } catch (error) {
    change({ state: 'failed', error })
  }
}

/** Keeps a file that was chosen again after its check. */
export function keepSeries(file: File, form: SeriesForm, jobId: string): void {
  seriesUpload.value = { file, form, sent: file.size, state: 'done', error: null, jobId }
}

export function dropSeries(): void {
  seriesUpload.value = null
  running?.abort()
  running = null
}

/** Imports the file of a check, by sending it again. */
export function importSeries(
  { file, form }: SeriesUpload,
  ignorarErros: boolean,
  idempotencyKey: string,
): Promise<Accepted> {
  const body = formOf(file, { ...form, modo: 'importar', ignorar_erros: String(ignorarErros) })
  return sendAgain(URL, body, { idempotencyKey }) as Promise<Accepted>
}

function formOf(file: File, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file)
  return form
}

// Nothing of a person stays for the next one.
session.subscribe(({ kind }) => {
  if (kind === 'anonymous') dropSeries()
})

addEventListener('beforeunload', (event) => {
  if (seriesUpload.value?.state === 'sending') event.preventDefault()
})
