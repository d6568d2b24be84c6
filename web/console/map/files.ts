import { queryOptions, useQueries } from '@tanstack/preact-query'
import type { Place } from '../../../src/charts/outlines.ts'
import { type MapFile, placesOf } from './topology.ts'

/** Put in by the build: part of the name of every map. */
declare const MAP_VERSION: string

/** `br`: the states; else the letters of a state, for its municipalities. */
async function loadPlaces(map: string, signal: AbortSignal): Promise<Place[]> {
  const answer = await fetch(`/assets/mapa-${map}-${MAP_VERSION}.json`, { signal })
  if (!answer.ok) throw new Error(`${map}: ${answer.status}`)
  return placesOf((await answer.json()) as MapFile)
}

/** A map; never asked for again while it is shown, and afterwards the browser has the file. */
export const mapaQuery = (map: string) =>
  queryOptions({
    queryKey: ['mapa', map],
    queryFn: ({ signal }) => loadPlaces(map, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export interface Places {
  places: readonly Place[] | undefined
  error: unknown
  retry(): void
}

const toPlaces = (queries: { data: Place[] | undefined; error: unknown; refetch(): unknown }[]): Places => ({
  places: queries.every(({ data }) => data !== undefined)
    ? queries.flatMap(({ data }) => data ?? [])
    : undefined,
  error: queries.find(({ error }) => error !== null)?.error,
  retry: () => {
    for (const query of queries) void query.refetch()
  },
})

/** Places of one or more maps together. */
export function usePlaces(maps: readonly string[]): Places {
  return useQueries({ queries: maps.map(mapaQuery), combine: toPlaces })
}
