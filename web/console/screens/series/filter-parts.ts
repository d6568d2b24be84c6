import { seriesTexts } from '../../state/texts/series.ts'
import { texts } from '../../state/texts.ts'
import { type FilterPart, partsOf } from '../../ui/near-filters.tsx'
import type { SerieFilters } from './address.ts'

/** The filter in words. */
export function serieParts({
  busca,
  dominio,
  tema,
  periodo,
  situacao,
}: SerieFilters): FilterPart<SerieFilters>[] {
  const own = seriesTexts()
  const { list } = own
  return partsOf<SerieFilters>(
    { of: ['dominio'], name: list.dominio, value: dominio && own.dominios[dominio] },
    { of: ['tema'], name: list.tema, value: tema && own.temas[tema] },
    { of: ['periodo'], name: list.periodo, value: periodo && own.periodos[periodo] },
    { of: ['situacao'], name: list.situacao, value: situacao && list.situacoes[situacao] },
    { of: ['busca'], name: texts().filtros.names.busca, value: busca },
  )
}
