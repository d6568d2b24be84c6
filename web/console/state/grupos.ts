import type { AnswerOf } from '../api/rows.ts'
import { api } from './session.ts'

/** The most that the service answers at once. */
const SIZE = 100

/** All groups by name, page after page. */
export async function listGrupos(signal: AbortSignal) {
  const all: AnswerOf<'GET', '/api/v1/grupos'>['grupos'] = []
  for (let page = 1; ; page++) {
    const query = { size: SIZE, sort: 'nome', ...(page > 1 && { page }) }
    const { grupos, pages } = await api.get('/api/v1/grupos', { query }, { signal })
    all.push(...grupos)
    if (page >= pages) return all
  }
}
