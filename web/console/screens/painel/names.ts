import { useQuery } from '@tanstack/preact-query'
import { usePlaces } from '../../map/files.ts'
import { type Filters, mapaOf, type PlaceNames, painelQuery } from '../../state/filters.ts'
import { painelOf } from '../../state/painel.ts'

/** Names of the chosen place from the map and the numbers, which the painel asks for anyhow: a request for them alone would be a third one. */
export function useNamesAtHand(filters: Filters, today: string): PlaceNames {
  const { places } = usePlaces([mapaOf(filters)])
  const numbers = painelOf(painelQuery(filters, today))
  const { data } = useQuery({ ...numbers, enabled: false, placeholderData: () => undefined })
  const { municipio, regiao } = filters
  const named = (codigo: string | null) =>
    data !== undefined && data.lugar.codigo === codigo ? (data.lugar.nome ?? undefined) : undefined
  return {
    municipio: named(municipio) ?? places?.find(({ id }) => id === municipio)?.nome,
    regiao: named(regiao),
  }
}
