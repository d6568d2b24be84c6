import type { FileRow } from './table.ts'
import { InvalidFile, LIMITS, tooManyRowsMessage } from './table.ts'
import { columnOf, decodeEscapes, formatDate, formatNumber } from './xlsx-values.ts'
import type { XmlListener } from './xml.ts'

export interface Workbook {
  strings: string[]
  dateStyles: boolean[]
  date1904: boolean
}

/** Builds rows from the XML events of a sheet; non-empty ones are kept until `take`. */
export class SheetReader implements XmlListener {
  /** Columns of the header: rows are padded to it, since XLSX leaves out trailing empty cells. */
  columns = 0
  readonly #workbook: Workbook
  #ready: FileRow[] = []
  #rowNumber = 0
  #values: string[] = []
  #characters = 0
  #column = -1
  #type = 'n'
  #style = 0
  #text = ''
  #inData = false
  #inValue = false
  #inPhonetic = false

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  take(): FileRow[] {
    const rows = this.#ready
    this.#ready = []
    return rows
  }

  pad({ values }: FileRow): void {
    while (values.length < this.columns) values.push('')
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'sheetData') this.#inData = true
    else if (!this.#inData) return
    else if (name === 'c') this.#openCell(attributes)
    else if (name === 'v' || name === 't') this.#inValue = true
    else if (name === 'row') this.#openRow(attributes.r)
    else if (name === 'rPh') this.#inPhonetic = true
  }

  text(text: string): void {
    if (!this.#inValue || this.#inPhonetic) return
    this.#text += text
    this.#count(text.length)
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#inValue = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
    else if (name === 'rPh') this.#inPhonetic = false
    else if (name === 'sheetData') this.#inData = false
  }

  #openRow(r: string | undefined): void {
    const number = Number(r)
    // Row numbers that go back or are none are ignored.
    this.#rowNumber = Number.isSafeInteger(number) && number > this.#rowNumber ? number : this.#rowNumber + 1
    // Row 1 is the header.
    if (this.#rowNumber > LIMITS.rows + 1) throw new InvalidFile(tooManyRowsMessage())
    this.#values = []
    this.#characters = 0
    this.#column = -1
  }

  #closeRow(): void {
    if (this.#values.length === 0) return
    const row = { line: this.#rowNumber, values: this.#values }
    this.#values = []
    this.pad(row)
    this.#ready.push(row)
  }

  #openCell({ r, t, s }: Record<string, string>): void {
    this.#column = (r === undefined ? null : columnOf(r)) ?? this.#column + 1
    this.#type = t ?? 'n'
    this.#style = Number(s ?? 0)
    this.#text = ''
  }

  #closeCell(): void {
    const raw = this.#text
    this.#text = ''
    if (!this.#inData || raw === '') return
    const value = this.#valueOf(raw)
    // Cells with a format but no value are skipped.
    if (value === '') return
    if (this.#column >= LIMITS.columns) {
      throw new InvalidFile(
        `A linha ${this.#rowNumber} da planilha passa de ${LIMITS.columns.toLocaleString('pt-BR')} colunas, que é o máximo.`,
      )
    }
    while (this.#values.length < this.#column) this.#values.push('')
    this.#values[this.#column] = value
  }

  #valueOf(raw: string): string {
    if (this.#type === 's') {
      const text = this.#workbook.strings[Number(raw)] ?? ''
      this.#count(text.length)
      return text
    }
    if (this.#type === 'b') return raw.trim() === '1' ? 'true' : 'false'
    if (this.#type === 'd') return raw.trim().slice(0, 10)
    if (this.#type !== 'n') return decodeEscapes(raw).trim()
    const number = raw.trim()
    const isDate = this.#workbook.dateStyles[this.#style] === true && number !== ''
    return (isDate ? formatDate(Number(number), this.#workbook.date1904) : null) ?? formatNumber(number)
  }

  #count(characters: number): void {
    this.#characters += characters
    if (this.#characters <= LIMITS.charactersPerRow) return
    throw new InvalidFile(
      `A linha ${this.#rowNumber} da planilha passa de ${LIMITS.charactersPerRow.toLocaleString('pt-BR')} caracteres.`,
    )
  }
}
