/** A cell: what is read, and the cases it stands for. */
export interface Cell {
  text: string
  href?: string
}

export interface TableData {
  /** The first column names the row; all others are numbers. */
  columns: string[]
  rows: [string, ...Cell[]][]
  /** Of the file. */
  name: string
}

/** As spreadsheets of Brazil read it: semicolons, quotes doubled, UTF-8 with its mark. */
export function csvOf({ columns, rows }: Pick<TableData, 'columns' | 'rows'>): string {
  const quoted = (text: string) => (/[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = [columns, ...rows.map(([name, ...cells]) => [name, ...cells.map(({ text }) => text)])]
  return `\uFEFF${lines.map((line) => line.map(quoted).join(';')).join('\r\n')}\r\n`
}

/** As it is pasted into a spreadsheet. */
export const tabbed = ({ columns, rows }: Pick<TableData, 'columns' | 'rows'>): string =>
  [columns, ...rows.map(([name, ...cells]) => [name, ...cells.map(({ text }) => text)])]
    .map((line) => line.join('\t'))
    .join('\n')
