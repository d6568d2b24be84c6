import type { Aviso } from './layout.ts'
import { ANY_YEAR, readDate, withoutAccents } from './values.ts'

/** The names of a file's columns, and what is odd about them. */

/** Blanks, the byte order mark among them, and quotes. */
const AROUND = /[\s"']/

/** Looks at each character once: an expression for the end of a text tries every place where it could begin. */
function bare(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && AROUND.test(text.charAt(start))) start++
  while (end > start && AROUND.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** One spelling: no byte order mark, quotes or accents, lower case, no blanks. */
export const columnName = (text: string): string =>
  withoutAccents(bare(text)).toLowerCase().replace(/\s+/g, '_')

/** As the file has it, for messages. */
export const shownName = (text: string): string => bare(text).slice(0, 60)

export interface Achada {
  indice: number
  /** As the file has it. */
  titulo: string
}

const SHOWN = 5

/** The columns that `nameOf` knows, by its name for them; the first wins where one comes twice. */
export function findColumns<N extends string>(
  cabecalho: readonly string[],
  nameOf: (column: string) => N | undefined,
): { achadas: Map<N, Achada>; avisos: Aviso[] } {
  const achadas = new Map<N, Achada>()
  const avisos: Aviso[] = []
  const estranhas: string[] = []
  for (const [indice, text] of cabecalho.entries()) {
    const column = columnName(text)
    if (column === '') continue
    const titulo = shownName(text)
    const nome = nameOf(column)
    if (nome === undefined) estranhas.push(titulo)
    else if (achadas.has(nome))
      avisos.push({ coluna: titulo, mensagem: 'Coluna repetida no arquivo: vale a primeira' })
    else achadas.set(nome, { indice, titulo })
  }
  if (estranhas.length > 0)
    avisos.push({ coluna: null, mensagem: `Colunas desconhecidas, não lidas: ${someOf(estranhas)}` })
  return { achadas, avisos }
}

/** The first few, and how many more. */
export function someOf(names: readonly string[]): string {
  const more = names.length - SHOWN
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` e mais ${more}` : '')
}

/** Rows with a date in this column, whatever the rest of them is. */
export const datedIn =
  ({ indice }: Achada) =>
  (valores: readonly string[]): boolean =>
    readDate(valores[indice] ?? '', ANY_YEAR, true) !== null

/** What follows the last column of the header, if anything is in it. */
export function hasMoreThan(valores: readonly string[], columns: number): boolean {
  for (let i = columns; i < valores.length; i++) if (valores[i] !== '') return true
  return false
}
