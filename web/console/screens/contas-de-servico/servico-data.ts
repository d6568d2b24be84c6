import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'

export type Conta = AnswerOf<'GET', '/api/v1/contas-de-servico/{id}'>
export type ContaNaLista = AnswerOf<'GET', '/api/v1/contas-de-servico'>['contas'][number]
export type Chave = Conta['chaves'][number]

const CONTAS = ['contas-de-servico']
export const contaHref = (id: number) => pathTo(PATHS.contaDeServico, { id })

export const contasQuery = (page: number, size: number) => ({
  queryKey: [...CONTAS, 'list', page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get('/api/v1/contas-de-servico', { query: { page, size } }, { signal }),
})

export const contaQuery = (id: number) => ({
  queryKey: [...CONTAS, 'one', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get('/api/v1/contas-de-servico/{id}', { params: { id } }, { signal }),
})

export const outdateContas = () => cache.invalidateQueries({ queryKey: CONTAS })

export type KeyState = 'live' | 'replaced' | 'expired' | 'revoked'

export function stateOf({ revogada_em, substituida_em, expira_em }: Chave, now: Date): KeyState {
  if (revogada_em !== null) return 'revoked'
  if (new Date(expira_em) <= now) return 'expired'
  return substituida_em === null ? 'live' : 'replaced'
}

export const TAGS = { live: 'green', replaced: 'amber', expired: 'plain', revoked: 'plain' } as const
