/** What a cell of an exported file can hold. */
export type Celula = string | number | boolean | null

/**
 * One line of CSV as Brazilian spreadsheets open it. A text that a spreadsheet would take for a formula gets an
 * apostrophe before it, which the importer takes away again.
 */
export function csvLine(values: readonly Celula[]): string {
  return `${values.map(cell).join(';')}\r\n`
}

// Also one that has such an apostrophe of its own: the importer takes one away.
const FORMULA = /^'*[=+\-@\t\r]/
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
