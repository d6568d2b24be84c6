import type { AlertaFilters } from '../../state/alertas.ts'
import { valorWords } from '../../state/filter-words.ts'
import { alertasTexts } from '../../state/texts/alertas.ts'
import { texts } from '../../state/texts.ts'
import { useLugarPart } from '../../ui/filter-pills.tsx'
import { type FilterPart, partsOf } from '../../ui/near-filters.tsx'

/** The filter in words. */
export function useAlertaParts(filters: AlertaFilters): FilterPart<AlertaFilters>[] {
  const t = texts()
  const own = alertasTexts()
  const { agravo, nivel, situacao } = filters
  const lugar = useLugarPart(filters)
  return partsOf<AlertaFilters>(
    { of: ['agravo'], name: t.filtros.names.agravo, value: agravo && valorWords(agravo, t) },
    lugar,
    { of: ['nivel'], name: own.level, value: nivel && t.niveis.nomes[nivel] },
    { of: ['situacao'], name: own.state, value: situacao && own.states[situacao] },
  )
}
