import type { AnswerOf } from '../api/rows.ts'
import { EPIZOOTIAS } from './epizootias-keys.ts'
import { api } from './session.ts'
import { epizootiasTexts } from './texts/epizootias.ts'

export type Epizootia = AnswerOf<'GET', '/api/v1/epizootias'>['items'][number]
export type Detalhe = AnswerOf<'GET', '/api/v1/epizootias/{id}'>
export type Classificacao = Epizootia['classificacao']
export type Campo = keyof ReturnType<typeof epizootiasTexts>['campos']

const VALORES_MS = 300_000

/** Suspicions and suggestions of species, which administrators add to. */
export const valores = () => ({
  queryKey: [...EPIZOOTIAS, 'valores'],
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get('/api/v1/epizootias/valores', {}, { signal }),
  staleTime: VALORES_MS,
})

/** A suspicion, or a suggestion of a species. */
export type Valor = AnswerOf<'GET', '/api/v1/epizootias/valores'>['items'][number]

/** A code in words: shipped ones in every language, added ones as they were registered. */
export function word(codigo: string, registered: readonly Valor[] = []): string {
  return (
    epizootiasTexts().valores[codigo] ?? registered.find((one) => one.codigo === codigo)?.rotulo ?? codigo
  )
}

type Ocorrencia = Pick<Epizootia, 'data_ocorrencia' | 'ano_ocorrencia'> & { mes_ocorrencia?: number | null }

/** Time of an event, as exactly as it is known. */
export function whenOf({ data_ocorrencia, mes_ocorrencia = null, ano_ocorrencia }: Ocorrencia): string {
  const t = epizootiasTexts()
  if (data_ocorrencia !== null) return t.day(data_ocorrencia)
  return mes_ocorrencia === null ? String(ano_ocorrencia) : t.month(ano_ocorrencia, mes_ocorrencia)
}
