import { queryOptions } from '@tanstack/preact-query'
import { listGrupos } from '../../state/grupos.ts'

/** Groups by name, for choices. */
export const allGrupos = () =>
  queryOptions({
    queryKey: ['grupos', 'todos'],
    queryFn: ({ signal }) => listGrupos(signal),
    staleTime: 60_000,
  })
