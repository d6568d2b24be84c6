import { type FieldName, ONCE_FIELDS } from '../campos.ts'

/** Decisions of people about a pair of cases. */
export const DECISOES = ['mesmo_caso', 'outro_episodio', 'outra_pessoa'] as const
export const SITUACOES = ['pendente', ...DECISOES] as const
export type SituacaoDoPar = (typeof SITUACOES)[number]

/** Fields by which a case is found, or that follow from others: in a merge always the principal's. */
export const SO_DO_PRINCIPAL: ReadonlySet<FieldName> = new Set<FieldName>([
  'tipo_agravo',
  'numero_notificacao',
  'data_notificacao',
  'status',
  ...ONCE_FIELDS,
])
