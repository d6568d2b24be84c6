import { queryOptions } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { euId } from '../../state/eu.ts'
import { type Tagged, tagged } from '../../state/tagged.ts'

/** The own account with its version, to be changed. */
export type Conta = Tagged<AnswerOf<'GET', '/api/v1/usuarios/{id}'>>

/** Key of all that this screen asks for. */
export const CONTA = ['conta']

export const readConta = (signal?: AbortSignal): Promise<Conta> =>
  tagged('/api/v1/usuarios/{id}', { params: { id: Number(euId()) }, query: { include: 'situacao' } }, signal)

export const contaQuery = () =>
  queryOptions({ queryKey: [...CONTA, 'perfil'], queryFn: ({ signal }) => readConta(signal) })
