import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import type { ResultadoDaImportacao } from '../../../../src/domain/importacao/import.ts'
import type { Validacao } from '../../../../src/domain/importacao/validacao.ts'
import { follow } from '../../api/live.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { addressOf, emptyFilters } from '../../state/filters.ts'
import { api } from '../../state/session.ts'

export type Job = AnswerOf<'GET', '/api/v1/jobs/{job_id}'>
export type Importacao = AnswerOf<'GET', '/api/v1/agravos/importacoes/{id}'>
export type Resultado = ResultadoDaImportacao
export type ResultadoDaConferencia = ResultadoDaImportacao & Validacao

/** Milliseconds between questions where there is no stream. */
const POLL_MS = 1_500
const POLL_BESIDE_STREAM_MS = 20_000

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
    refetchInterval: ({ state }) =>
      state.data?.status !== 'processing' ? false : isLive ? POLL_BESIDE_STREAM_MS : POLL_MS,
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
