import { DEFAULT_LANGUAGE, type Language } from '../../errors/texts.ts'
import { READ_PERCENT, type StatusDeJob } from './status.ts'
import { enUS } from './texts/en-US.ts'
import { esES } from './texts/es-ES.ts'
import { ptBR } from './texts/pt-BR.ts'
import type { JobMessage, JobTexts, Trabalho } from './texts/texts.ts'

/** Messages of jobs: the database keeps code and parameters, the text is rendered in the reader's language. */

const TEXTS: Record<Language, JobTexts> = { 'pt-BR': ptBR, 'en-US': enUS, 'es-ES': esES }

export function textOf(mensagem: JobMessage, language: Language = DEFAULT_LANGUAGE): string {
  const text = TEXTS[language].messages[mensagem.code] as (params: JobMessage) => string
  return text(mensagem)
}

/** Name of the work in the default language; jobs that have not ended are searched by it. */
export const nameOf = (trabalho: Trabalho) => TEXTS[DEFAULT_LANGUAGE].works[trabalho]

/** Stage of a job that has not ended. */
export type JobStage = 'waiting' | 'running' | 'interrupted' | 'canceling'

export interface JobState {
  status: StatusDeJob
  progress: number
  stage: JobStage
  /** Null for jobs of an earlier version, which only have `message`. */
  mensagem: JobMessage | null
  message: string
}

/** Current message of a job. */
export function messageOf(job: JobState, language: Language): string {
  const current = currentOf(job)
  return current === null ? job.message : textOf(current, language)
}

/** Its code; null for jobs of an earlier version. */
export const codeOf = (job: JobState): JobMessage['code'] | null => currentOf(job)?.code ?? null

function currentOf(job: JobState): JobMessage | null {
  const { mensagem, status } = job
  const isUnderWay = status === 'processing' && mensagem?.code === 'WAITING'
  return isUnderWay ? stageOf(job, mensagem.trabalho) : mensagem
}

function stageOf({ stage, progress }: JobState, trabalho: Trabalho): JobMessage {
  if (stage === 'canceling') return { code: 'CANCELING' }
  if (stage === 'interrupted') return { code: 'INTERRUPTED', trabalho }
  if (stage === 'waiting') return { code: 'WAITING', trabalho }
  const isImport = trabalho === 'importacao' || trabalho === 'validacao'
  if (isImport && progress < READ_PERCENT) return { code: 'READING' }
  return { code: 'RUNNING', trabalho }
}
