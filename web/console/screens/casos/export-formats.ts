import { holds } from '../../state/session.ts'

/** Files that the dialog offers, the commonest first. */
export const FORMATOS = ['csv', 'xlsx', 'parquet', 'dbf', 'dbc', 'csv_sinan', 'json'] as const
export type Formato = (typeof FORMATOS)[number]

const OF_SINAN: readonly string[] = ['dbf', 'dbc', 'csv_sinan'] satisfies Formato[]
const OF_TEXT: readonly string[] = ['csv', 'csv_sinan', 'json'] satisfies Formato[]

/** Its form is that of one disease, which the filter has to name. */
export const isOfSinan = (choice: string): boolean => OF_SINAN.includes(choice)
export const isCompressible = (choice: string): boolean => OF_TEXT.includes(choice)

/** A file of cases, or the research extract. */
export type Choice = Formato | 'extrato'

/** Offered to the account; none where it may neither export nor extract. */
export function choicesOf(): Choice[] {
  return [
    ...(holds(['agravos.exportar']) ? FORMATOS : []),
    ...(holds(['agravos.extrair']) ? (['extrato'] as const) : []),
  ]
}
