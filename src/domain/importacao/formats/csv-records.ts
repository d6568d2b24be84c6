import { unescapedCell } from '../../arquivos/csv.ts'
import type { FileRow } from './table.ts'
import { InvalidFile, LIMITS, tooManyRowsMessage } from './table.ts'

const QUOTE = '"'

/**
 * Streaming CSV tokenizer. Hand-written because files of the field hold quotes that nobody escaped: libraries read an
 * unclosed quote to the end of the file, here it spoils one line. A field counts as quoted only if its closing quote is
 * followed by the delimiter or the end of the line, within LIMITS.charactersPerRow; else its quotes are plain characters.
 * Lines without quotes, nearly all, are split at once, and so are the fields before a first quote; the rest of such a line
 * is scanned field by field. Memory is bounded by the longest record.
 */
export class CsvTokenizer {
  readonly #delimiter: string
  /** Lines quoted as a whole are unwrapped; a table of one column has none. */
  readonly #unwraps: boolean
  /** Lines skipped because they are empty. */
  blankLines = 0
  #text = ''
  #line = 1
  #final = false
  #pendingReturn = false
  /** Length of #text below which the incomplete first record is not tried again. */
  #retryLength = 0
  // Results of #parseRecord, as fields to spare an object a record.
  #values: string[] = []
  #end = 0
  #isOneQuoted = false

  constructor(delimiter: string, unwraps = true) {
    this.#delimiter = delimiter
    this.#unwraps = unwraps
  }

  /** Records completed by `text`. Line ends inside quoted fields come out as \n. */
  push(text: string): FileRow[] {
    this.#text += this.#normalise(text)
    return this.#text.length < this.#retryLength ? [] : this.#records()
  }

  end(): FileRow[] {
    if (this.#pendingReturn) this.#text += '\n'
    this.#pendingReturn = false
    this.#final = true
    return this.#records()
  }

  /** \r\n and a lone \r become \n; a \r at the end is held back until the next piece shows whether \n follows. */
  #normalise(text: string): string {
    if (text === '') return ''
    let joined = this.#pendingReturn ? `\r${text}` : text
    this.#pendingReturn = joined.endsWith('\r')
    if (this.#pendingReturn) joined = joined.slice(0, -1)
    return joined.includes('\r') ? joined.replace(/\r\n?/g, '\n') : joined
  }

  #records(): FileRow[] {
    const text = this.#text
    const output: FileRow[] = []
    let start = 0
    let quote = text.indexOf(QUOTE)
    while (start < text.length) {
      let lineBreak = text.indexOf('\n', start)
      if (quote !== -1 && quote < start) quote = text.indexOf(QUOTE, start)
      const hasQuote = quote !== -1 && (lineBreak === -1 || quote < lineBreak)
      if (lineBreak === -1) {
        this.#checkLength(text.length - start)
        if (!this.#final) break
        lineBreak = text.length
      }
      if (hasQuote) {
        if (!this.#parseRecord(text, start, quote)) {
          this.#checkLength(text.length - start)
          break
        }
        this.#emit(output, this.#line, this.#unwrap())
        this.#line += countLineBreaks(text, start, this.#end)
        if (this.#line > LIMITS.lines) throw new InvalidFile(tooManyRowsMessage())
        start = this.#end
      } else if (lineBreak === start) {
        this.blankLines++
        this.#line++
        start++
      } else {
        this.#checkLength(lineBreak - start)
        this.#emit(output, this.#line, splitPlain(text.slice(start, lineBreak), this.#delimiter))
        this.#line++
        start = lineBreak + 1
      }
    }
    this.#text = text.slice(start)
    // Doubling keeps a long record, tried again at each piece, from costing the square of its length.
    this.#retryLength = Math.min(2 * this.#text.length, LIMITS.charactersPerRow + 1)
    return output
  }

  #emit(output: FileRow[], line: number, values: string[]): void {
    // An empty line, or the end-of-file mark DOS programs leave.
    if (values.length === 1 && (values[0] === '' || values[0] === '\x1a')) this.blankLines++
    else output.push({ line, values })
  }

  #checkLength(characters: number): void {
    if (characters <= LIMITS.charactersPerRow) return
    throw new InvalidFile(
      `A linha ${this.#line} passa de ${LIMITS.charactersPerRow.toLocaleString('pt-BR')} caracteres: o arquivo não parece ser um CSV, ou perdeu as quebras de linha.`,
    )
  }

  /** Returns false when the record may continue in text that has not arrived yet. `quote`: the first one of its line. */
  #parseRecord(text: string, start: number, quote: number): boolean {
    this.#isOneQuoted = false
    // Fields before the one with the first quote are split at once.
    const first = start + text.slice(start, quote).lastIndexOf(this.#delimiter) + 1
    this.#values = first === start ? [] : splitPlain(text.slice(start, first - 1), this.#delimiter)
    let at = first
    let lineBreak = -2
    for (;;) {
      const closing = this.#findClosing(text, at, start)
      if (closing === 'incomplete') return false
      let fieldEnd: number
      if (closing === null) {
        if (lineBreak !== -1 && lineBreak < at) lineBreak = text.indexOf('\n', at)
        if (lineBreak === -1 && !this.#final) return false
        const limit = lineBreak === -1 ? text.length : lineBreak
        fieldEnd = indexBefore(text, this.#delimiter, at, limit)
        this.#values.push(cellOf(text.slice(at, fieldEnd)))
      } else {
        fieldEnd = closing.after
        this.#values.push(cellOf(text.slice(closing.from, closing.to).replaceAll('""', QUOTE)))
        this.#isOneQuoted = this.#values.length === 1
      }
      this.#checkLength(fieldEnd - start)
      at = fieldEnd + 1
      if (fieldEnd >= text.length || text.charCodeAt(fieldEnd) === 10) break
      this.#isOneQuoted = false
    }
    this.#end = at
    return true
  }

  /** Bounds of the quoted field that begins at `at`; null for an unquoted one. */
  #findClosing(
    text: string,
    at: number,
    start: number,
  ): { from: number; to: number; after: number } | null | 'incomplete' {
    const opening = skipBlanks(text, at, this.#delimiter)
    if (opening >= text.length) return this.#final ? null : 'incomplete'
    if (text.charCodeAt(opening) !== 34) return null
    let closing = text.indexOf(QUOTE, opening + 1)
    while (closing !== -1 && text.charCodeAt(closing + 1) === 34) closing = text.indexOf(QUOTE, closing + 2)
    const isTooFar = (closing === -1 ? text.length : closing) - start > LIMITS.charactersPerRow
    if (isTooFar) return null
    if (closing === -1) return this.#final ? null : 'incomplete'
    const after = skipBlanks(text, closing + 1, this.#delimiter)
    if (after >= text.length && !this.#final) {
      return after - start > LIMITS.charactersPerRow ? null : 'incomplete'
    }
    const next = text.charAt(after)
    const ends = next === '' || next === '\n' || next === this.#delimiter
    return ends ? { from: opening + 1, to: closing, after } : null
  }

  /** Some exports quote each line as a whole; the line inside is the record. */
  #unwrap(): string[] {
    const only = this.#values[0] ?? ''
    if (!this.#unwraps || !this.#isOneQuoted || !only.includes(this.#delimiter)) return this.#values
    if (!only.includes(QUOTE)) return splitPlain(only, this.#delimiter)
    const inner = new CsvTokenizer(this.#delimiter, false)
    return [...inner.push(only), ...inner.end()].flatMap((record) => record.values)
  }
}

function splitPlain(line: string, delimiter: string): string[] {
  const values = line.split(delimiter)
  for (let i = 0; i < values.length; i++) values[i] = cellOf(values[i] as string)
  return values
}

/** Trimmed, and without the apostrophe that our own exports put before formulas. */
const cellOf = (text: string): string => unescapedCell(text.trim())

function skipBlanks(text: string, at: number, delimiter: string): number {
  let i = at
  for (let c = text.charAt(i); (c === ' ' || c === '\t') && c !== delimiter; c = text.charAt(i)) i++
  return i
}

function indexBefore(text: string, wanted: string, from: number, limit: number): number {
  // The slice bounds the search: a row's last field would otherwise scan the rest of the text.
  const i = text.slice(from, limit).indexOf(wanted)
  return i === -1 ? limit : from + i
}

function countLineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let i = text.indexOf('\n', from); i !== -1 && i < to; i = text.indexOf('\n', i + 1)) count++
  return count
}
