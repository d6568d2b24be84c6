import { signal } from '@preact/signals'
import type { TipoAgravo } from '../../../src/domain/casos/enumeracoes.ts'
import type { AnswerOf } from '../api/rows.ts'
import { PATHS } from '../paths.ts'
import { sendAgain } from './send-form.ts'
import { tellSending } from './sending.ts'
import { owner } from './session.ts'

type Accepted = AnswerOf<'POST', '/api/v1/agravos/casos/bulk'>

const URL = '/api/v1/agravos/casos/bulk'
export const MAX_BYTES = 2 * 1024 ** 3

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

/** Options of the reading, which the file itself does not tell. */
export interface Leitura {
  agravo: TipoAgravo | null
  /** True: own fields of free text are read too. */
  textos: boolean
}

/** Sends a file to be checked; nothing is stored by that. */
export async function sendFile(file: File, { agravo, textos }: Leitura): Promise<void> {
  running?.abort()
  const controller = new AbortController()
  running = controller
  upload.value = { file, sent: 0, state: 'sending', error: null, jobId: null }
  const change = (more: Partial<Upload>) => {
    if (running === controller && upload.value !== null) upload.value = { ...upload.value, ...more }
  }
  const form = formOf({ formato: formatoOf(file.name), modo: 'validar', ignorar_erros: 'true' })
  if (textos) form.set('textos', 'true')
  if (agravo !== null) form.set('tipo_agravo', agravo)
  form.set('file', file)
  try {
    const onProgress = (sent: number) => change({ sent: Math.min(sent, file.size) })
    const { job_id } = (await sendAgain(URL, form, { signal: controller.signal, onProgress })) as Accepted
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

/** Forgets a file that arrived, once its import is over; another one on its way goes on. */
export function dropServed(): void {
  if (upload.peek()?.state === 'done') dropFile()
}

/** Imports the file of a dry run, which the service has kept. */
export function importValidated(
  validacao: string,
  ignorarErros: boolean,
  idempotencyKey: string,
): Promise<Accepted> {
  const form = formOf({ validacao, modo: 'importar', ignorar_erros: String(ignorarErros) })
  return sendAgain(URL, form, { idempotencyKey }) as Promise<Accepted>
}

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** By its name; the service looks at the content. */
const formatoOf = (name: string): string => /\.(xlsx|dbf|dbc)$/i.exec(name)?.[1]?.toLowerCase() ?? 'csv'

// Nothing of a person stays for the next one.
owner.subscribe(dropFile)

upload.subscribe((now) => tellSending(PATHS.importacaoNova, now))

addEventListener('beforeunload', (event) => {
  if (upload.value?.state === 'sending') event.preventDefault()
})
