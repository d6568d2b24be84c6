import { casesIn, weeksQuery } from '../state/contagem-por-semana.ts'
import { BASES, CLASSIFICACOES_DO_FILTRO, type Filters } from '../state/filter-address.ts'
import { casosQuery } from '../state/filter-query.ts'
import { api, cache, holds } from '../state/session.ts'
import type { Counts, CountsByFilter } from './filter-bar.tsx'

/** Filters whose values can be counted, each by its name among the facets. */
const FACETS = {
  agravo: 'tipo_agravo',
  uf: 'estado',
  municipio: 'municipio',
  classificacao: 'classificacao',
  sexo: 'sexo',
  raca: 'raca',
  gestante: 'gestante',
  zona: 'zona',
  hospitalizacao: 'hospitalizacao',
  evolucao: 'evolucao',
  criterio: 'criterio_confirmacao',
  status: 'status',
  faixa: 'faixa_etaria',
  cnes: 'cnes',
} as const
type Counted = keyof typeof FACETS

const WITHIN_UF = { regiao: null, municipio: null, bairro: null, lugar: null }

const BY_PANEL: Record<string, Counted[]> = {
  agravo: ['agravo'],
  territorio: ['uf', 'municipio'],
  classificacao: ['classificacao'],
  more: ['sexo', 'raca', 'gestante', 'zona', 'hospitalizacao', 'evolucao', 'criterio', 'status', 'faixa'],
}

/** Units of one municipality: those of more are thousands, and counted from all of their cases. */
const namesOf = (panel: string, { municipio }: Filters): readonly Counted[] => {
  const names = BY_PANEL[panel] ?? []
  return panel === 'more' && municipio !== null ? [...names, 'cnes'] : names
}

/**
 * Cases of each value of a panel, with all other filters: one request, for those who may see statistics. As of its opening: a choice
 * closes most panels, and numbers that moved with every choice would cost a request each.
 */
export async function askCounts(filters: Filters, today: string, panel: string): Promise<CountsByFilter> {
  // A pendency is no filter of what is counted.
  if (filters.pendencia !== null || !holds(['agravos.estatisticas'])) return {}
  if (panel === 'periodo') return { periodo: await askPeriods(filters, today) }
  if (panel === 'base') return { base: await askBases(filters, today) }
  // Another place replaces the whole of the present one, but municipalities are those of the state.
  const asked = panel === 'territorio' ? { ...filters, ...WITHIN_UF } : filters
  return askFacets(asked, today, namesOf(panel, filters))
}

async function askFacets(
  filters: Filters,
  today: string,
  names: readonly Counted[],
): Promise<Partial<Record<Counted, Counts>>> {
  const query = { ...casosQuery(filters, today), campos: names.map((name) => FACETS[name]).join(',') }
  const { facetas } = await cache.fetchQuery({
    queryKey: ['facetas', query],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/casos/facetas', { query }, { signal }),
  })
  return Object.fromEntries(
    names.flatMap((name) => {
      const facet = facetas.find(({ campo }) => campo === FACETS[name])
      return facet === undefined ? [] : [[name, countsOf(name, facet.valores)]]
    }),
  )
}

/** Cases of the same period by either day, each as those of its disease. */
async function askBases(filters: Filters, today: string): Promise<Counts> {
  const totals = BASES.map(async (base) => {
    const { agravo } = await askFacets({ ...filters, base }, today, ['agravo'])
    return [base, agravo?.get(filters.agravo ?? '') ?? 0] as const
  })
  return new Map(await Promise.all(totals))
}

/** Cases of any period, by weeks that are asked for once. */
async function askPeriods(filters: Filters, today: string): Promise<CountsByFilter['periodo']> {
  const query = weeksQuery(filters, today)
  const { serie = [] } = (await cache.fetchQuery({
    queryKey: ['facetas', query],
    queryFn: ({ signal }) =>
      api.get('/api/v1/agravos/casos/estatisticas/resumo', { query: query as never }, { signal }),
  })) as { serie?: { periodo: string; total: number }[] }
  const weeks = new Map(serie.map(({ periodo, total }) => [periodo, total]))
  return (periodo) => casesIn(weeks, periodo, today)
}

function countsOf(name: Counted, valores: readonly { valor: string | null; total: number }[]): Counts {
  const exact = new Map(valores.map(({ valor, total }) => [valor ?? '', total]))
  if (name === 'classificacao') return byClass(exact)
  if (name === 'hospitalizacao' || name === 'gestante')
    return new Map([
      ['sim', exact.get('true') ?? 0],
      ['nao', exact.get('false') ?? 0],
    ])
  if (name !== 'agravo') return exact
  const all = [...exact.values()].reduce((sum, one) => sum + one, 0)
  return exact.set('', all)
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
