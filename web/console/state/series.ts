import { queryOptions } from '@tanstack/preact-query'
import type { AnswerOf } from '../api/rows.ts'
import { api } from './session.ts'

export type SerieListada = AnswerOf<'GET', '/api/v1/series'>['items'][number]

/** Largest page of the API; a catalogue has up to five of them. */
const SIZE = 100

/** Every series that is not archived, by name. */
export const activeSeries = () =>
  queryOptions({
    queryKey: ['series', 'active'],
    queryFn: async ({ signal }) => {
      const ask = (page: number) =>
        api.get('/api/v1/series', { query: { ativa: true, sort: 'nome', page, size: SIZE } }, { signal })
      const first = await ask(1)
      const items: SerieListada[] = [...first.items]
      for (let page = 2; page <= first.pages; page++) items.push(...(await ask(page)).items)
      return items
    },
  })
