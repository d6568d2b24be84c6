import type { FileWarning } from './layout.ts'
import { ANY_YEAR, readDate, withoutAccents } from './values.ts'

/** Recognition of a file's columns by their names. */

/** Blanks (a byte order mark is one) and quotes. */
const AROUND = /[\s"']/

/** Trims in linear time; a regular expression anchored at the end backtracks from every start. */
function bare(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && AROUND.test(text.charAt(start))) start++
  while (end > start && AROUND.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Normalises a column name: no byte order mark, quotes or accents, lower case, underscores for blanks. */
export const columnName = (text: string): string =>
  withoutAccents(bare(text)).toLowerCase().replace(/\s+/g, '_')

/** Column name as the file has it, for messages. */
export const shownName = (text: string): string => bare(text).slice(0, 60)

export interface FoundColumn {
  index: number
  /** As the file has it. */
  title: string
}

const SHOWN = 5

/** Finds the columns that `nameOf` knows, by its name for them; the first of repeated ones wins. */
export function findColumns<N extends string>(
  cabecalho: readonly string[],
  nameOf: (column: string) => N | undefined,
): { found: Map<N, FoundColumn>; avisos: FileWarning[] } {
  const found = new Map<N, FoundColumn>()
  const avisos: FileWarning[] = []
  const unknown: string[] = []
  for (const [index, text] of cabecalho.entries()) {
    const column = columnName(text)
    if (column === '') continue
    const title = shownName(text)
    const nome = nameOf(column)
    if (nome === undefined) unknown.push(title)
    else if (found.has(nome))
      avisos.push({ column: title, message: 'Coluna repetida no arquivo: vale a primeira' })
    else found.set(nome, { index, title })
  }
  if (unknown.length > 0)
    avisos.push({ column: null, message: `Colunas desconhecidas, não lidas: ${someOf(unknown)}` })
  return { found, avisos }
}

/** Lists the first few, and counts the rest. */
export function someOf(names: readonly string[]): string {
  const more = names.length - SHOWN
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` e mais ${more}` : '')
}

/** Predicate: the row has a date in this column. */
export const datedIn =
  ({ index }: FoundColumn) =>
  (values: readonly string[]): boolean =>
    readDate(values[index] ?? '', ANY_YEAR, true) !== null

/** True where a cell beyond the last column of the header has a value. */
export function hasMoreThan(values: readonly string[], columns: number): boolean {
  for (let i = columns; i < values.length; i++) if (values[i] !== '') return true
  return false
}
