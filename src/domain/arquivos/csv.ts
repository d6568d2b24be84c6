/** Value of a cell in an exported file. */
export type CellValue = string | number | boolean | null

/** Column of an exported file. Dates and moments are ISO 8601 text; formats with types write them as such. */
export interface FileColumn {
  nome: string
  kind: 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'moment'
  /** Bytes of a cell, in formats whose columns have a width. */
  width?: number
}

/**
 * One line of CSV with semicolons, as Brazilian spreadsheets open it. Against formula injection, texts that look like
 * formulas get an apostrophe, which the import removes again.
 */
export function csvLine(values: readonly CellValue[]): string {
  return `${values.map(cell).join(';')}\r\n`
}

// Full-width signs too, which some spreadsheets evaluate; and texts with apostrophes of their own, to be reversible.
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/
const PLAIN_NUMBER = /^-?\d+([.,]\d+)?$/

/** Positional notation: spreadsheets and importers need not understand `1e-7`. */
function decimal(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text
}

/** Signs that may ask for quotes or an apostrophe; nearly no cell has one of them. */
const SUSPECT = /^['=+\-@＝＋－＠\t]|[";\r\n]/

function cell(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return decimal(value)
  if (typeof value === 'boolean') return String(value)
  if (!SUSPECT.test(value)) return value
  const safe = FORMULA.test(value) && !PLAIN_NUMBER.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Inverse of the escaping in `csvLine`. */
export const unescapedCell = (text: string): string =>
  text.charCodeAt(0) === 39 && FORMULA.test(text) ? text.slice(1) : text
