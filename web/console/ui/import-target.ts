import type { Permission } from '../../../src/caller/permissions.ts'
import type { FileUpload, UploadForm } from '../state/file-upload.ts'
import type { Contagem } from './contagem.tsx'
import type { Job } from './use-job.ts'

/** Words in which imports of one kind differ from those of another. */
export interface ImportWords {
  parts: Record<keyof Contagem, string>
  layouts: Record<string, string>
  /** On the button that imports so many. */
  import(count: number): string
  nothing: string
  removed: string
  confirmUndo(count: number): string
  notAllowed: string
  wroteNothing: string
  stages: { RUNNING: string }
  mayLeave: string
  all: string
}

/** Result of an import or of its check, as the job holds it. */
export interface ImportResult extends Contagem {
  total_linhas: number
  avisos: number
  tempo_processamento: number
  erros_detalhados: { linha: number | null; erro: string }[]
  avisos_detalhados: { linha: number | null; aviso: string }[]
  arquivo: { nome: string; tamanho: number; formato: string; layout: string }
  importacao_id: number | null
}

/** One kind of import: what the parts that all of them share need to know of it. */
export interface ImportTarget {
  words(): ImportWords
  upload: FileUpload
  listPath: string
  importarHref(form?: UploadForm, job?: string, etapa?: 'conferencia'): string
  importacaoHref(id: number, query?: Record<string, string>): string
  /** Asks for the undo of an import, or for its simulation. */
  undo(id: number, simular: boolean, idempotencyKey: string): Promise<{ job_id: string }>
  /** May undo imports of others. */
  undoesOthers: Permission
  /** Kinds of its jobs, as the list of jobs names them. */
  jobs: string
  /** Outdates answers that were read before. */
  refresh(): void
}

export const rejeitadosHref = (jobId: string) => `/api/v1/jobs/${encodeURIComponent(jobId)}/rejeitados`

export const importResultOf = (job: Job) => job.resultado as ImportResult | undefined
