/** What a cell of an exported file can hold. */
export type Celula = string | number | boolean | null

/** A column of an exported file. Dates and moments come as ISO 8601 text; a spreadsheet gets them as what they are. */
export interface ColunaDeArquivo {
  nome: string
  kind: 'plain' | 'date' | 'moment'
}

/**
 * One line of CSV as Brazilian spreadsheets open it. A text that a spreadsheet would take for a formula gets an
 * apostrophe before it, which the reader of CSV takes away again.
 */
export function csvLine(values: readonly Celula[]): string {
  return `${values.map(cell).join(';')}\r\n`
}

// The full-width forms too, which some spreadsheets read as the others; and a text that has an apostrophe of its own.
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/
const PLAIN_NUMBER = /^-?\d+([.,]\d+)?$/

/** As people write it: no spreadsheet and no importer is asked to understand `1e-7`. */
function decimal(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}

function cell(value: Celula): string {
  if (value === null) return ''
  const text = typeof value === 'number' ? decimal(value) : String(value)
  const safe = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A cell as it was before `csvLine`. */
export const unescapedCell = (text: string): string =>
  text.charCodeAt(0) === 39 && FORMULA.test(text) ? text.slice(1) : text
