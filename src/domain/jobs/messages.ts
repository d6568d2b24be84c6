import { DEFAULT_LANGUAGE, type Language } from '../../errors/texts.ts'
import { READ_PERCENT, type StatusDeJob } from './status.ts'
import { enUS } from './texts/en-US.ts'
import { esES } from './texts/es-ES.ts'
import { ptBR } from './texts/pt-BR.ts'
import type { Mensagem, Textos, Trabalho } from './texts/textos.ts'

/** Messages of jobs. The database keeps code and parameters; the reader's language is chosen when the job is shown. */

const TEXTOS: Record<Language, Textos> = { 'pt-BR': ptBR, 'en-US': enUS, 'es-ES': esES }

export function textOf(mensagem: Mensagem, language: Language = DEFAULT_LANGUAGE): string {
  const text = TEXTOS[language].mensagens[mensagem.code] as (params: Mensagem) => string
  return text(mensagem)
}

/** Name of the work, by which jobs that are not over are searched for. */
export const nameOf = (trabalho: Trabalho) => TEXTOS[DEFAULT_LANGUAGE].trabalhos[trabalho]

/** Where a job stands that is not over. */
export type Etapa = 'waiting' | 'running' | 'interrupted' | 'canceling'

export interface Situacao {
  status: StatusDeJob
  progress: number
  etapa: Etapa
  /** Null for jobs of an earlier version, which have but `message`. */
  mensagem: Mensagem | null
  message: string
}

/** The message of a job at this moment. */
export function messageOf(job: Situacao, language: Language): string {
  const { mensagem, status, message } = job
  if (mensagem === null) return message
  const isUnderWay = status === 'processing' && mensagem.code === 'WAITING'
  return textOf(isUnderWay ? stageOf(job, mensagem.trabalho) : mensagem, language)
}

function stageOf({ etapa, progress }: Situacao, trabalho: Trabalho): Mensagem {
  if (etapa === 'canceling') return { code: 'CANCELING' }
  if (etapa === 'interrupted') return { code: 'INTERRUPTED', trabalho }
  if (etapa === 'waiting') return { code: 'WAITING', trabalho }
  const isImport = trabalho === 'importacao' || trabalho === 'validacao'
  if (isImport && progress < READ_PERCENT) return { code: 'READING' }
  return { code: 'RUNNING', trabalho }
}
