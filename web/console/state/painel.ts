import { queryOptions } from '@tanstack/preact-query'
import { PAINEL } from '../api/early.ts'
import type { AnswerOf, QueryValue } from '../api/rows.ts'
import { api } from './session.ts'

export type Painel = Exclude<AnswerOf<'GET', typeof PAINEL>, void>

/** Numbers of the painel for one filter. */
export const painelOf = (query: Record<string, QueryValue>) =>
  queryOptions({
    queryKey: ['painel', query],
    queryFn: ({ signal }) => api.get(PAINEL, { query }, { signal }) as Promise<Painel>,
  })
