import { useQuery } from '@tanstack/preact-query'
import { api, holds } from '../state/session.ts'

/** A record as the audit knows it, and the moment of its last change. */
export interface Changed {
  recurso: string
  id: string | number
  em: string
}

/**
 * Author of the last change of a record: the first entry of the audit about it since that moment. Null for those who may not read the audit,
 * and while it is asked for. Nobody waits for it: what is compared is there without.
 */
export function useChangedBy(changed: Changed | null): string | null {
  const { data } = useQuery({
    queryKey: ['autor', changed],
    queryFn: async ({ signal }) => {
      const { recurso, id, em } = changed as Changed
      const query = {
        ...{ recurso, recurso_id: String(id), 'data[gte]': em },
        ...{ sort: 'id', order: 'asc', size: 1 },
      } as const
      const { items } = await api.get('/api/v1/auditoria', { query }, { signal })
      return items[0]?.ator?.nome ?? null
    },
    enabled: changed !== null && holds(['auditoria.ver']),
  })
  return data ?? null
}
