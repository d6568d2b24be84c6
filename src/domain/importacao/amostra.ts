import { CAMPOS, type Campo, type Campos, type FieldName, isSecret } from '../casos/campos.ts'
import { type DescribedColumn, describeColumns } from './layouts/descricao.ts'
import { columnName } from './layouts/header.ts'
import type { ConvertedRow, Layout, Meaning } from './layouts/layout.ts'

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

export function createSample(layout: Layout, header: readonly string[]) {
  const amostra: LinhaDaAmostra[] = []
  const tipos: string[] = []
  const described = () => describeColumns(layout, header, tipos)
  const names = header.map(columnName)
  const byTipo = new Map<string | null, DescribedColumn[]>()
  const columnsOf = (tipo: string | null) => {
    const known = byTipo.get(tipo) ?? describeColumns(layout, header, tipo === null ? [] : [tipo])
    byTipo.set(tipo, known)
    return known
  }
  return {
    wants: () => amostra.length < MAX_AMOSTRA,
    add(linha: number, values: readonly string[], row: ConvertedRow): void {
      const tipo = row.ok ? row.campos.tipo_agravo : null
      if (tipo !== null && !tipos.includes(tipo)) tipos.push(tipo)
      const columns = columnsOf(tipo)
      const valores = columns.map((column, i) => {
        const meaning = layout.meaningOf(names[i] as string, tipo)
        return shownCell(column, meaning, values[i] ?? '', row)
      })
      amostra.push({ linha, valores })
    },
    /** Masks rows that were rejected since as those that never were cases: the sample does not tell one reason from the other. */
    mask(linhas: readonly number[]): void {
      const rejected = new Set(linhas)
      const columns = described()
      for (const row of amostra)
        if (rejected.has(row.linha))
          row.valores = row.valores.map((cell, i) => rejectedCell(columns[i] as DescribedColumn, cell))
    },
    colunas: (): Coluna[] =>
      described().map(({ nome, campo, uso, sugestao }, i) => ({
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

function shownCell(
  { campo, uso }: DescribedColumn,
  meaning: Meaning | null,
  text: string,
  row: ConvertedRow,
): string {
  if (text === '') return ''
  // A column that only the disease of its row could tell, without knowing that.
  if (uso !== 'usada' || meaning === null || meaning.campos.some(isSecret)) return MASK
  // Codes of the forms: one character identifies nobody.
  if (text.length === 1) return text
  if (campo === 'numero_notificacao' && text === numberOf(row)) return text
  const [flat] = meaning.campos
  return row.ok && flat !== undefined && becameOpenValue(row.campos, flat, text, meaning) ? text : MASK
}

const rejectedCell = ({ campo }: DescribedColumn, cell: string): string =>
  cell.length <= 1 || campo === 'numero_notificacao' ? cell : MASK

const numberOf = (row: ConvertedRow) => (row.ok ? row.campos.numero_notificacao : row.numero_notificacao)

/** Free text might be anything, hence only what looks like a code; any other kind of field takes only what it knows. */
function becameOpenValue(campos: Campos, campo: FieldName, text: string, { free }: Meaning): boolean {
  if (campos[campo] == null || text.length > MAX_SHOWN) return false
  const kind = (CAMPOS[campo] as Campo | undefined)?.kind
  const isFree = free || kind === 'text' || kind === 'texts' || kind === 'locais'
  return !isFree || !/\p{L}{3}/u.test(text)
}
