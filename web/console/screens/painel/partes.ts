import { useQuery } from '@tanstack/preact-query'
import { useRef } from 'preact/hooks'
import type { AnswerOf } from '../../api/rows.ts'
import { casosQuery } from '../../state/filter-query.ts'
import { api, holds } from '../../state/session.ts'
import { hasLevels } from './level-map.tsx'
import type { PartProps } from './painel.tsx'

const ROUTE = '/api/v1/agravos/casos/painel/partes'
type Answered = Exclude<AnswerOf<'GET', typeof ROUTE>, void>

/** Parts of the painel that are not in its counters. */
export interface Partes {
  query: ReturnType<typeof usePartesQuery>
  /** Of the present place and disease, also while newer ones are on their way; undefined: not known. */
  bairros: Answered['bairros']
  niveis: Answered['niveis']
}

/** The work list for those who may list cases, points below a municipality, levels where the map shows them. */
function wantedOf(now: PartProps, showsLevels: boolean): string[] {
  const { nivel } = now.painel.lugares
  return [
    ...(holds(['agravos.listar']) ? ['pendencias'] : []),
    ...(nivel === null ? ['bairros'] : []),
    ...(nivel !== null && showsLevels && hasLevels(now) ? ['niveis'] : []),
  ]
}

function usePartesQuery(now: PartProps | null, showsLevels: boolean) {
  const partes = now === null ? [] : wantedOf(now, showsLevels)
  const asked = now && {
    ...casosQuery(now.state.filters, now.state.rules.today),
    partes: partes.join(','),
  }
  return useQuery({
    queryKey: ['partes', asked],
    queryFn: ({ signal }) => api.get(ROUTE, { query: asked ?? {} }, { signal }),
    staleTime: 60_000,
    enabled: partes.length > 0,
  })
}

/** One request behind that of the numbers, for all parts that they do not have: another filter costs two. */
export function usePartes(now: PartProps | null, showsLevels: boolean): Partes {
  const query = usePartesQuery(now, showsLevels)
  const { data, isPlaceholderData } = query
  const of = now && `${now.state.filters.agravo} ${now.painel.lugar.codigo}`
  const kept = useRef<{ of: string | null; data: Answered } | null>(null)
  if (data !== undefined && !isPlaceholderData) kept.current = { of, data }
  const present = kept.current?.of === of ? kept.current.data : undefined
  return { query, bairros: present?.bairros, niveis: present?.niveis }
}
