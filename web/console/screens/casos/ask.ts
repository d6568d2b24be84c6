import type { Filters } from '../../state/filter-address.ts'
import { casosQuery } from '../../state/filter-query.ts'
import { identifiedQuery } from '../../state/identificado.ts'
import { api } from '../../state/session.ts'
import { CAMPOS_DA_LISTA } from './address.ts'
import type { Detalhe } from './detalhe.ts'
import type { CasoListado, ListaDeCasos } from './row.ts'

/** One page of cases; of those with a pendency from the work list, which says what each lacks. */
export async function askCasos(
  filters: Filters,
  today: string,
  paging: Record<string, string | number>,
  signal: AbortSignal,
): Promise<ListaDeCasos> {
  const query = { ...casosQuery(filters, today), ...paging }
  if (filters.pendencia === null) {
    const asked = { query: { ...query, campos: CAMPOS_DA_LISTA } }
    const { tipos, ...page } = await api.get('/api/v1/agravos/casos', asked, { signal })
    return { ...page, casos: tipos as unknown as CasoListado[] }
  }
  const path = '/api/v1/agravos/casos/qualidade/pendencias'
  const { items, ...page } = (await api.send('GET', path, { query }, { signal })) as Omit<
    ListaDeCasos,
    'casos'
  > & { items: CasoListado[] }
  return { ...page, casos: items }
}

/** Asks for a case, as it is or as it was. */
export function askCaso(
  id: number,
  em: string | null,
  identified: { motivo: string } | null,
  signal?: AbortSignal,
) {
  const query = {
    include: 'historico,anexos,investigacao',
    ...(em !== null && { em }),
    ...(identified !== null && identifiedQuery(identified.motivo)),
  }
  const asked = { params: { id }, query: query as never }
  return api.get('/api/v1/agravos/casos/{id}', asked, signal ? { signal } : {}) as unknown as Promise<Detalhe>
}
