import { useQuery } from '@tanstack/preact-query'
import { valores, word } from '../../state/epizootias.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { useLugarPart } from '../../ui/filter-pills.tsx'
import { type FilterPart, partsOf } from '../../ui/near-filters.tsx'
import type { EpizootiaFilters } from './address.ts'

/** The filter in words. */
export function useEpizootiaParts(filters: EpizootiaFilters): FilterPart<EpizootiaFilters>[] {
  const t = texts().filtros.names
  const { campos, list } = epizootiasTexts()
  const { busca, suspeita, grupo, classificacao, de, ate, importacao } = filters
  const registered = useQuery(valores()).data?.items
  const lugar = useLugarPart(filters)
  return partsOf<EpizootiaFilters>(
    lugar,
    { of: ['suspeita'], name: campos.suspeita, value: suspeita && word(suspeita, registered) },
    { of: ['grupo'], name: campos.especie_grupo, value: grupo && word(grupo, registered) },
    {
      of: ['classificacao'],
      name: campos.classificacao,
      value: classificacao && word(classificacao, registered),
    },
    {
      of: ['de', 'ate'],
      name: list.period,
      value: [de && list.from(de), ate && list.to(ate)].filter(Boolean).join(' '),
    },
    { of: ['importacao'], name: t.importacao, value: importacao },
    { of: ['busca'], name: t.busca, value: busca },
  )
}
