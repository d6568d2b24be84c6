import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import type { ResultadoDaImportacao } from '../../../../src/domain/importacao/import.ts'
import type { Validacao } from '../../../../src/domain/importacao/validacao.ts'
import { follow } from '../../api/live.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { addressOf, emptyFilters } from '../../state/filters.ts'
import { api, holds } from '../../state/session.ts'

export type Job = AnswerOf<'GET', '/api/v1/jobs/{job_id}'>
export type Importacao = AnswerOf<'GET', '/api/v1/agravos/importacoes/{id}'>
export type Resultado = ResultadoDaImportacao
export type ResultadoDaConferencia = ResultadoDaImportacao & Validacao

/** Milliseconds between questions where there is no stream. */
const POLL_MS = 1_500
const POLL_BESIDE_STREAM_MS = 20_000
const POLL_PAIRS_MS = 5_000
/** Longest time after an import that its pairs are waited for. */
const PAIRS_MS = 300_000

/** A job, followed until it is over: by its stream, and by asking where that does not stand. */
export function useJob(id: string | null) {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  const queryKey = ['jobs', id]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get('/api/v1/jobs/{job_id}', { params: { job_id: id ?? '' } }, { signal }),
    enabled: id !== null,
    // Another job is not an older answer of this one.
    placeholderData: () => undefined,
    refetchInterval: ({ state }) => (state.data === undefined ? false : pauseOf(state.data, isLive)),
  })
  const isRunning = query.data?.status === 'processing'
  useEffect(() => {
    if (id === null || !isRunning) return
    return follow(`/api/v1/jobs/${encodeURIComponent(id)}/eventos`, {
      onChange: (job) => client.setQueryData(queryKey, job),
      onEnd: () => void client.invalidateQueries({ queryKey }),
      onLive: setLive,
    })
  }, [id, isRunning])
  return query
}

/** Milliseconds until the next question; false: none. */
function pauseOf(job: Job, isLive: boolean): number | false {
  if (job.status === 'processing') return isLive ? POLL_BESIDE_STREAM_MS : POLL_MS
  return waitsForPairs(job) ? POLL_PAIRS_MS : false
}

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
