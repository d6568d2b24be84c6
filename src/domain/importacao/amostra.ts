import { CAMPOS, type Campos, isSecret } from '../casos/campos.ts'
import { type DescribedColumn, describeColumns } from './layouts/descricao.ts'
import type { ConvertedRow, LayoutName } from './layouts/layout.ts'

/**
 * First rows of a file and its columns, for their sender to look at. Kept in the result of the job, which is not encrypted: a cell is
 * shown only where its row is a case and the cell became an open value of it. A misaligned row may hold a name in any cell.
 */

export interface Coluna extends Omit<DescribedColumn, 'campos'> {
  /** First value that is shown, or the mask; null: all of the sample are empty. */
  exemplo: string | null
}

export interface LinhaDaAmostra {
  linha: number
  /** One for each column. */
  valores: string[]
}

export const MAX_AMOSTRA = 20
export const MASK = '***'
const MAX_SHOWN = 40

export function createSample(layout: LayoutName, header: readonly string[]) {
  const columns = describeColumns(layout, header)
  const amostra: LinhaDaAmostra[] = []
  return {
    wants: () => amostra.length < MAX_AMOSTRA,
    add(linha: number, values: readonly string[], row: ConvertedRow): void {
      const valores = columns.map((column, i) => shownCell(column, values[i] ?? '', row))
      amostra.push({ linha, valores })
    },
    /** Masks rows that were rejected since as those that never were cases: the sample does not tell one reason from the other. */
    mask(linhas: readonly number[]): void {
      const rejected = new Set(linhas)
      for (const row of amostra)
        if (rejected.has(row.linha))
          row.valores = row.valores.map((cell, i) => rejectedCell(columns[i] as DescribedColumn, cell))
    },
    colunas: (): Coluna[] =>
      columns.map(({ nome, campo, uso, sugestao }, i) => ({
        nome,
        campo,
        uso,
        sugestao,
        exemplo: exampleOf(amostra.map(({ valores }) => valores[i] ?? '')),
      })),
    amostra,
  }
}

export type Sample = ReturnType<typeof createSample>

function exampleOf(cells: readonly string[]): string | null {
  const filled = cells.filter((cell) => cell !== '')
  return filled.find((cell) => cell !== MASK) ?? filled[0] ?? null
}

function shownCell({ campo, campos, uso }: DescribedColumn, text: string, row: ConvertedRow): string {
  if (text === '') return ''
  if (uso !== 'usada' || campos.some(isSecret)) return MASK
  // Codes of the forms: one character identifies nobody.
  if (text.length === 1) return text
  if (campo === 'numero_notificacao' && text === numberOf(row)) return text
  return row.ok && campo !== null && becameOpenValue(row.campos, campo, text) ? text : MASK
}

const rejectedCell = ({ campo }: DescribedColumn, cell: string): string =>
  cell.length <= 1 || campo === 'numero_notificacao' ? cell : MASK

const numberOf = (row: ConvertedRow) => (row.ok ? row.campos.numero_notificacao : row.numero_notificacao)

/** Free text might be anything, hence only what looks like a code; any other kind of field takes only what it knows. */
function becameOpenValue(campos: Campos, campo: keyof Campos, text: string): boolean {
  if (campos[campo] === null || text.length > MAX_SHOWN) return false
  const { kind } = CAMPOS[campo]
  return (kind !== 'text' && kind !== 'texts' && kind !== 'locais') || !/\p{L}{3}/u.test(text)
}
