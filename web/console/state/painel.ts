import { queryOptions } from '@tanstack/preact-query'
import { PAINEL, type Painel } from '../api/early.ts'
import type { QueryValue } from '../api/rows.ts'
import { api } from './session.ts'

/** Numbers of the painel for one filter. */
export const painelOf = (query: Record<string, QueryValue>) =>
  queryOptions({
    queryKey: ['painel', query],
    queryFn: ({ signal }) => api.get(PAINEL, { query }, { signal }) as Promise<Painel>,
  })
