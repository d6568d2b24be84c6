import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { FORM_NAMES, type SeriesForm } from '../../state/series-upload.ts'
import type { Job } from '../../ui/use-job.ts'

export type Importacao = AnswerOf<'GET', '/api/v1/series/importacoes/{id}'>

/** Result of an import or of its check, as the job holds it. */
export interface Resultado {
  total_linhas: number
  importados: number
  atualizados: number
  inalterados: number
  duplicados_no_arquivo: number
  erros: number
  avisos: number
  sem_lugar: number
  series: { codigo: string; valores: number; lugares: number; primeiro: string; ultimo: string }[]
  tempo_processamento: number
  erros_detalhados: { linha: number | null; erro: string }[]
  avisos_detalhados: { linha: number | null; aviso: string }[]
  arquivo: { nome: string; tamanho: number; formato: string; layout: Importacao['arquivo']['layout'] }
  importacao_id: number | null
}

export const resultadoOf = (job: Job) => job.resultado as Resultado | undefined

export const IMPORTACOES = ['series-importacoes'] as const

/** The wizard: the job and what the form says in place of the file are in the address. */
export function importarHref(form: SeriesForm = {}, job?: string, etapa?: 'conferencia'): string {
  const query = new URLSearchParams({ ...(job && { job }), ...(etapa && { etapa }), ...form })
  return query.size === 0 ? PATHS.seriesImportar : `${PATHS.seriesImportar}?${query}`
}

export const formOfAddress = (query: Record<string, string>): SeriesForm =>
  Object.fromEntries(FORM_NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))

export function importacaoHref(id: number, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString()
  const path = pathTo(PATHS.seriesImportacao, { id })
  return search === '' ? path : `${path}?${search}`
}

export const rejeitadosHref = (jobId: string) => `/api/v1/jobs/${encodeURIComponent(jobId)}/rejeitados`
