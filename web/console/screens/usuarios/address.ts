import type { QueryValue } from '../../api/rows.ts'
import { PATHS } from '../../paths.ts'
import type { Order } from '../../state/pages.ts'

/** The filter of the accounts, which is the address of their screen. */

export const SITUACOES = ['ativas', 'desativadas', 'bloqueadas'] as const
export const FATORES = ['sem', 'com'] as const
export const ACESSOS = ['nunca'] as const
export const SORTABLE = ['nome', 'email', 'ultimo_acesso', 'criado_em'] as const
const DEFAULT_ORDER: Order = { by: 'nome', direction: 'asc' }

export interface UsuarioFilters {
  busca: string | null
  /** Id of the group. */
  grupo: string | null
  situacao: (typeof SITUACOES)[number] | null
  fator: (typeof FATORES)[number] | null
  acesso: (typeof ACESSOS)[number] | null
}

export const NO_FILTERS: UsuarioFilters = {
  busca: null,
  grupo: null,
  situacao: null,
  fator: null,
  acesso: null,
}

export interface UsuariosAddress {
  filters: UsuarioFilters
  order: Order
  page: number
}

/** The address → filter, order and page; a value that is none is no filter. */
export function readUsuarios(search: string): UsuariosAddress {
  const given = new URLSearchParams(search)
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | null =>
    values.find((value) => value === given.get(name)) ?? null
  const grupo = given.get('grupo') ?? ''
  const [, sign, by = ''] = /^(-?)(.*)$/.exec(given.get('ordem') ?? '') ?? []
  return {
    filters: {
      busca: given.get('busca')?.trim().slice(0, 200) || null,
      grupo: /^[1-9]\d{0,8}$/.test(grupo) ? grupo : null,
      situacao: oneOf('situacao', SITUACOES),
      fator: oneOf('fator', FATORES),
      acesso: oneOf('acesso', ACESSOS),
    },
    order: SORTABLE.some((one) => one === by)
      ? { by, direction: sign === '-' ? 'desc' : 'asc' }
      : DEFAULT_ORDER,
    page: Math.min(1_000_000, Math.max(1, Math.trunc(Number(given.get('pagina'))) || 1)),
  }
}

export function usuariosPath({ filters, order = DEFAULT_ORDER, page = 1 }: Partial<UsuariosAddress>): string {
  const isDefault = order.by === DEFAULT_ORDER.by && order.direction === DEFAULT_ORDER.direction
  const entries = Object.entries({
    ...filters,
    ordem: isDefault ? null : `${order.direction === 'desc' ? '-' : ''}${order.by}`,
    pagina: page > 1 ? String(page) : null,
  }).filter((entry): entry is [string, string] => entry[1] !== null)
  const query = new URLSearchParams(entries)
  return query.size === 0 ? PATHS.usuarios : `${PATHS.usuarios}?${query}`
}

/** The filter as parameters of the API. A search that looks like JSON would be read as a tree there. */
export function usuariosQuery({
  busca,
  grupo,
  situacao,
  fator,
  acesso,
}: UsuarioFilters): Record<string, QueryValue> {
  return {
    ...(busca !== null && !busca.startsWith('{') && { search: busca }),
    ...(grupo !== null && { grupo_id: grupo }),
    ...(situacao === 'bloqueadas'
      ? { bloqueado: true }
      : situacao !== null && { ativo: situacao === 'ativas' }),
    ...(fator !== null && { mfa_habilitado: fator === 'com' }),
    ...(acesso !== null && { nunca_entrou: true }),
  }
}
