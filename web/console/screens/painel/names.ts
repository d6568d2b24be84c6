import { useQuery } from '@tanstack/preact-query'
import { usePlaces } from '../../map/files.ts'
import type { Filters } from '../../state/filter-address.ts'
import { mapaOf, painelQuery } from '../../state/filter-query.ts'
import type { PlaceNames } from '../../state/filter-words.ts'
import { painelOf } from '../../state/painel.ts'
import { usePlaceNames } from '../../ui/use-filters.ts'

const NOWHERE = { uf: null, municipio: null, regiao: null }

/** Names of the chosen place from the map and the numbers, which the painel asks for anyhow: a request for them alone would be a third one. */
export function useNamesAtHand(filters: Filters, today: string): PlaceNames {
  const { places } = usePlaces([mapaOf(filters)])
  const numbers = painelOf(painelQuery(filters, today))
  const { data, isError } = useQuery({ ...numbers, enabled: false, placeholderData: () => undefined })
  const { uf, municipio, regiao } = filters
  // Refused numbers may be those of a place that does not exist: the list of its state tells.
  const { unknown } = usePlaceNames(isError ? { uf, municipio, regiao } : NOWHERE)
  const named = (codigo: string | null) =>
    data !== undefined && data.lugar.codigo === codigo ? (data.lugar.nome ?? undefined) : undefined
  return {
    municipio: named(municipio) ?? places?.find(({ id }) => id === municipio)?.nome,
    regiao: named(regiao),
    unknown,
  }
}
