import { useQuery } from '@tanstack/preact-query'
import { type ChipName, CLASSIFICACOES_DO_FILTRO, casosQuery, type Filters } from '../state/filters.ts'
import { api, holds } from '../state/session.ts'
import type { Counts } from './filter-bar.tsx'

/** Filters whose values can be counted, each by its name among the facets. */
const FACETS = {
  agravo: 'tipo_agravo',
  classificacao: 'classificacao',
  sexo: 'sexo',
  raca: 'raca',
  zona: 'zona',
  hospitalizacao: 'hospitalizacao',
  evolucao: 'evolucao',
  criterio: 'criterio_confirmacao',
  status: 'status',
} as const
type Counted = keyof typeof FACETS

const BY_PANEL: Record<string, Counted[]> = {
  agravo: ['agravo'],
  classificacao: ['classificacao'],
  more: ['sexo', 'raca', 'zona', 'hospitalizacao', 'evolucao', 'criterio', 'status'],
}

/** Cases of each value of the panel that is open, with all other filters; one request, asked only by who may see statistics. */
export function useCounts(filters: Filters, today: string, panel: string | null) {
  const names = BY_PANEL[panel ?? ''] ?? []
  const campos = names.map((name) => FACETS[name]).join(',')
  const query = { ...casosQuery(filters, today), campos }
  const { data } = useQuery({
    queryKey: ['facetas', query],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/casos/facetas', { query }, { signal }),
    // A pendency is no filter of what is counted.
    enabled: campos !== '' && filters.pendencia === null && holds(['agravos.estatisticas']),
    placeholderData: () => undefined,
  })
  return (name: 'agravo' | 'classificacao' | ChipName): Counts | undefined => {
    const facet = data?.facetas.find(({ campo }) => campo === FACETS[name as Counted])
    if (facet === undefined) return undefined
    const exact = new Map(facet.valores.map(({ valor, total }) => [valor ?? '', total]))
    if (name === 'classificacao') return byClass(exact)
    if (name === 'hospitalizacao')
      return new Map([
        ['sim', exact.get('true') ?? 0],
        ['nao', exact.get('false') ?? 0],
      ])
    return name === 'agravo'
      ? exact.set(
          '',
          [...exact.values()].reduce((sum, one) => sum + one, 0),
        )
      : exact
  }
}

/** Totals of groups from those of single classes; all that is neither open, discarded nor inconclusive is confirmed, whatever it is called. */
function byClass(exact: ReadonlyMap<string, number>): Counts {
  const one = (codigo: string) => exact.get(codigo) ?? 0
  const open = exact.get('') ?? one('em_investigacao')
  const all = [...exact.values()].reduce((total, count) => total + count, 0)
  return new Map([
    ...exact,
    ...CLASSIFICACOES_DO_FILTRO.map((codigo) => [codigo, one(codigo)] as const),
    ['notificado', all],
    ['em_investigacao', open],
    ['provavel', all - one('descartado')],
    ['confirmado', all - open - one('descartado') - one('inconclusivo')],
  ])
}
