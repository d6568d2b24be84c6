import type { LeftOut } from '../../state/filter-address.ts'
import type { Order } from '../../state/pages.ts'

/** Columns of the list by their names in the address, in their order; the first is always there: it is the way to the case. */
export const COLUMN_NAMES = [
  'numero',
  'agravo',
  'notificacao',
  'sintomas',
  'se',
  'paciente',
  'idade',
  'municipio',
  'uf',
  'zona',
  'classificacao',
  'criterio',
  'evolucao',
  'hospitalizacao',
  'situacao',
  'unidade',
  'pendencias',
  'criado',
  'atualizado',
] as const
export type ColumnName = (typeof COLUMN_NAMES)[number]

/** Members that columns and summary are made of; signs and symptoms, a fifth of the bytes, are not among them. */
export const CAMPOS_DA_LISTA = [
  ...['tipo_agravo', 'numero_notificacao', 'data_notificacao', 'semana_epidemiologica'],
  ...['data_inicio_sintomas', 'semana_epidemiologica_sintomas', 'paciente', 'endereco'],
  ...['classificacao_final', 'criterio_confirmacao', 'evolucao', 'hospitalizacao', 'status'],
  ...['unidade_notificante', 'criado_em', 'atualizado_em'],
].join()

const DEFAULTS: ColumnName[] = [
  'numero',
  'notificacao',
  'se',
  'paciente',
  'idade',
  'municipio',
  'classificacao',
  'evolucao',
  'situacao',
]

/** Columns that the filter makes useful: which disease, which work. */
export function defaultColumns(filters: { agravo: string | null; pendencia: string | null }): ColumnName[] {
  return COLUMN_NAMES.filter(
    (name) =>
      DEFAULTS.includes(name) ||
      (name === 'agravo' && filters.agravo === null) ||
      (name === 'pendencias' && filters.pendencia !== null),
  )
}

export const SIZES = [25, 50, 100] as const
const DEFAULT_SIZE = 50
export const DEFAULT_ORDER: Order = { by: 'data_notificacao', direction: 'desc' }

/** Part of the address that is about the rows, not about which cases. */
export interface RowsAddress {
  /** Null: as the filter suggests. */
  columns: ColumnName[] | null
  order: Order
  page: number
  size: number
}

export function readRows(search: string, sortable: readonly string[]): RowsAddress {
  const given = new URLSearchParams(search)
  const names = given.get('colunas')?.split(',') ?? []
  const columns = COLUMN_NAMES.filter((name) => name === 'numero' || names.includes(name))
  const [, sign, by = ''] = /^(-?)(.*)$/.exec(given.get('ordem') ?? '') ?? []
  const page = Number(given.get('pagina') ?? 1)
  const size = SIZES.find((one) => String(one) === given.get('linhas'))
  return {
    columns: given.has('colunas') ? columns : null,
    order: sortable.includes(by) ? { by, direction: sign === '-' ? 'desc' : 'asc' } : DEFAULT_ORDER,
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000_000 ? page : 1,
    size: size ?? DEFAULT_SIZE,
  }
}

/** Values of an address that name no column, order, number of rows or page. */
export function unreadRows(search: string, sortable: readonly string[]): LeftOut[] {
  const given = new URLSearchParams(search)
  const { order, page, size } = readRows(search, sortable)
  const columns = (given.get('colunas') ?? '').split(',')
  const unknown = columns.filter((one) => one !== '' && !(COLUMN_NAMES as readonly string[]).includes(one))
  const read: [name: string, isRead: (value: string) => boolean][] = [
    ['ordem', (value) => value.replace(/^-/, '') === order.by],
    ['linhas', (value) => Number(value) === size],
    ['pagina', (value) => Number(value) === page],
  ]
  const others = read.flatMap(([name, isRead]) => {
    const value = given.get(name) || null
    return value === null || isRead(value) ? [] : [{ name, value }]
  })
  return [...(unknown.length === 0 ? [] : [{ name: 'colunas', value: unknown.join() }]), ...others]
}

/** The address with some of it changed. Another order or another number of rows begins at the first page. */
export function withRows(path: string, search: string, change: Partial<RowsAddress>): string {
  const next = new URLSearchParams(search)
  const put = (name: string, value: string | null) =>
    value === null ? next.delete(name) : next.set(name, value)
  if (change.order !== undefined) {
    const { by, direction } = change.order
    const isDefault = by === DEFAULT_ORDER.by && direction === DEFAULT_ORDER.direction
    put('ordem', isDefault ? null : `${direction === 'desc' ? '-' : ''}${by}`)
  }
  if (change.columns !== undefined) put('colunas', change.columns === null ? null : change.columns.join(','))
  if (change.size !== undefined) put('linhas', change.size === DEFAULT_SIZE ? null : String(change.size))
  if (change.page !== undefined) put('pagina', change.page === 1 ? null : String(change.page))
  else if (change.order !== undefined || change.size !== undefined) next.delete('pagina')
  const query = next.toString().replaceAll('%2C', ',')
  return query === '' ? path : `${path}?${query}`
}
