import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso/router'
import { addressOf, CHIP_NAMES, emptyFilters, type Filters } from '../../state/filter-address.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { NearFilters } from '../../ui/near-filters.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Empty } from '../../ui/states.tsx'
import type { FilterState } from '../../ui/use-filters.ts'
import { askCasos } from './ask.ts'

const ONE = { size: 1 }

/** Filters near to one that has no cases, from the one that changes least on. */
function wider(
  filters: Filters,
): { name: 'chips' | 'classificacao' | 'periodo' | 'lugar' | 'limites'; filters: Filters }[] {
  const noChips = { ...Object.fromEntries(CHIP_NAMES.map((name) => [name, null])), especificos: {} }
  const { uf, municipio, regiao, classificacao, periodo, especificos } = filters
  const hasChips = CHIP_NAMES.some((name) => filters[name] !== null) || Object.keys(especificos).length > 0
  const above = municipio !== null || regiao !== null ? { municipio: null, regiao: null } : { uf: null }
  return [
    ...(hasChips ? [{ name: 'chips' as const, filters: { ...filters, ...noChips } }] : []),
    ...(classificacao !== 'notificado'
      ? [{ name: 'classificacao' as const, filters: { ...filters, classificacao: 'notificado' as const } }]
      : []),
    ...(periodo.kind !== 'sempre'
      ? [{ name: 'periodo' as const, filters: { ...filters, periodo: { kind: 'sempre' as const } } }]
      : []),
    ...(uf !== null ? [{ name: 'lugar' as const, filters: { ...filters, ...above } }] : []),
    {
      name: 'limites' as const,
      filters: { ...filters, ...noChips, classificacao: 'notificado', periodo: { kind: 'sempre' as const } },
    },
  ]
}

/** No cases: because there are none at all, or because of the filter; then the nearest filters that have some. */
export function EmptyList({ state }: { state: FilterState }) {
  const { filters, rules, words, change } = state
  const { path } = useLocation()
  const t = texts()
  const { today } = rules
  const everything = {
    ...emptyFilters(rules),
    periodo: { kind: 'sempre' as const },
    classificacao: 'notificado' as const,
  }
  const all = useQuery({
    queryKey: ['casos', 'all'],
    queryFn: ({ signal }) => askCasos(everything, today, ONE, signal),
  })
  if (all.data === undefined) return <Empty text={t.casos.none} />
  if (all.data.total === 0) return <OnDemand load={() => import('../../ui/first-steps.tsx')} />
  return (
    <Empty text={t.casos.noneByFilter}>
      <p class="filter-words">
        <b>{words.title}</b> · {words.parts.join(' · ')}
      </p>
      <NearFilters
        near={wider(filters).map(({ name, filters }) => ({
          key: ['casos', 'total', filters, today],
          text: t.casos.wider[name],
          href: addressOf(path, filters, rules),
          ask: (signal) => askCasos(filters, today, ONE, signal),
        }))}
        say={t.casos.cases}
      />
      <Button onClick={() => change(emptyFilters(rules))}>{t.filtros.clear}</Button>
    </Empty>
  )
}
