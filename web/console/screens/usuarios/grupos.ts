import { queryOptions } from '@tanstack/preact-query'
import { api } from '../../state/session.ts'

/** More groups than a choice can show; an installation has a dozen. */
const MOST = 100

/** Groups by name, for choices. */
export const allGrupos = () =>
  queryOptions({
    queryKey: ['grupos', 'todos'],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/grupos', { query: { size: MOST, sort: 'nome' } }, { signal })).grupos,
    staleTime: 60_000,
  })
