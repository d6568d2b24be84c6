import { queryOptions } from '@tanstack/preact-query'
import type { AnswerOf } from '../api/rows.ts'
import { api } from './session.ts'

export type Rights = AnswerOf<'GET', '/api/v1/usuarios/{id}/permissoes'>

/** All that an account may, with what gives it. */
export const rightsQuery = (id: number) =>
  queryOptions({
    queryKey: ['usuarios', id, 'permissoes'],
    queryFn: ({ signal }) => api.get('/api/v1/usuarios/{id}/permissoes', { params: { id } }, { signal }),
  })
