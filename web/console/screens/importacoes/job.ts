import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import type { ResultadoDaImportacao } from '../../../../src/domain/importacao/resultado.ts'
import type { Validacao } from '../../../../src/domain/importacao/validacao.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { addressOf, emptyFilters } from '../../state/filter-address.ts'
import { holds } from '../../state/session.ts'
import { type Job, useFollowedJob } from '../../ui/use-job.ts'

export type { Job }

export type Importacao = AnswerOf<'GET', '/api/v1/agravos/importacoes/{id}'>
export type Resultado = ResultadoDaImportacao
export type ResultadoDaConferencia = ResultadoDaImportacao & Validacao

/** Milliseconds between questions. */
const POLL_PAIRS_MS = 5_000
/** Longest time after an import that its pairs are waited for. */
const PAIRS_MS = 300_000

/** A job of an import: asked for again also while the number of its possible duplicates may still come. */
export const useJob = (id: string | null) =>
  useFollowedJob(id, (job) => (waitsForPairs(job) ? POLL_PAIRS_MS : false))

/** True where the number of possible duplicates may still come: soon after an import by somebody who may identify patients. */
export function waitsForPairs(job: Job): boolean {
  const { importacao_id, duplicidades } = resultadoOf(job) ?? {}
  const isNew = job.completed_at !== null && Date.now() - Date.parse(job.completed_at) < PAIRS_MS
  return isNew && importacao_id != null && duplicidades === undefined && holds(['agravos.identificar'])
}

export const conferenciaOf = (job: Job) => job.resultado as ResultadoDaConferencia | undefined
export const resultadoOf = (job: Job) => job.resultado as Resultado | undefined

export type Etapa = 'arquivo' | 'colunas' | 'conferencia' | 'importacao' | 'resultado'

export const novaHref = (job?: string, etapa?: 'conferencia') =>
  job === undefined
    ? PATHS.importacaoNova
    : `${PATHS.importacaoNova}?${new URLSearchParams({ job, ...(etapa && { etapa }) })}`

export const importacaoHref = (id: number, query: Record<string, string> = {}) => {
  const search = new URLSearchParams(query).toString()
  const path = pathTo(PATHS.importacao, { id })
  return search === '' ? path : `${path}?${search}`
}

export const rejeitadosHref = (jobId: string) => `/api/v1/jobs/${encodeURIComponent(jobId)}/rejeitados`

/** The list of exactly the cases that an import wrote: of all times and classes. */
export function casosHref(importacaoId: number): string {
  const rules = { today: dateInBrazil(new Date()) }
  const filters = emptyFilters(rules)
  return addressOf(
    PATHS.casos,
    {
      ...filters,
      importacao: String(importacaoId),
      periodo: { kind: 'sempre' },
      classificacao: 'notificado',
    },
    rules,
  )
}
