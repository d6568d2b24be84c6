import type { ParFilters } from '../../state/duplicidades.ts'
import { valorWords } from '../../state/filter-words.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { useLugarPart } from '../../ui/filter-pills.tsx'
import { type FilterPart, partsOf } from '../../ui/near-filters.tsx'

/** The filter in words; pairs that wait for a decision are no filter. */
export function useParParts(filters: ParFilters): FilterPart<ParFilters>[] {
  const t = texts()
  const own = duplicidadesTexts()
  const { situacao, faixa, agravo, importacao } = filters
  const lugar = useLugarPart(filters)
  return partsOf<ParFilters>(
    {
      of: ['situacao'],
      name: own.state,
      value: situacao === 'pendente' ? null : situacao && own.states[situacao],
    },
    { of: ['faixa'], name: own.band, value: faixa && own.bands[faixa] },
    { of: ['agravo'], name: t.filtros.names.agravo, value: agravo && valorWords(agravo, t) },
    lugar,
    { of: ['importacao'], name: t.filtros.names.importacao, value: importacao },
  )
}
