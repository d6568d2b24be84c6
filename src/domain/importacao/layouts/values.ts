/** Parsers of single cells of health files. Pure; `undefined`: unreadable, `null`: no value. */

const MISSING = new Set(['', 'na', 'nan', 'null', 'none'])

export const isMissing = (text: string): boolean => text.length <= 4 && MISSING.has(text.toLowerCase())

/** Strips the `.0` that spreadsheets and data frames append to integers. */
export const withoutFraction = (text: string): string => (text.endsWith('.0') ? text.slice(0, -2) : text)

const DIGITS = /^[0-9]+$/
export const isDigits = (text: string): boolean => DIGITS.test(text)

/** Normalises a code: `09`, `9.0` and `9` are one. */
export function codeOf(text: string): string {
  const code = withoutFraction(text)
  if (!isDigits(code)) return code
  let start = 0
  while (start < code.length - 1 && code[start] === '0') start++
  return code.slice(start)
}

const MARKS = /\p{M}/gu
const LONGEST_LABEL = 200

/** Short texts only: normalising a million combining marks takes quadratic time. */
export const withoutAccents = (text: string): string =>
  text.length > LONGEST_LABEL ? text : text.normalize('NFKD').replace(MARKS, '')

/** Folds case, accents and punctuation of a label, and drops what stands in brackets. */
export function labelOf(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/\([^()]*\)/g, ' ')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <=
    (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : (DAYS[month - 1] ?? 0))

const two = (n: number): string => (n < 10 ? `0${n}` : String(n))
const isoOf = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`

export interface YearRange {
  min: number
  max: number
}
export const ANY_YEAR: YearRange = { min: 1, max: 9999 }

/** `YYYYMMDD`, `YYYY-MM-DD` or `d/m/yyyy`, followed by nothing, a time of day, or the `.0` of a number. */
const DATE =
  /^(?:(\d{4})(\d{2})(\d{2})|(\d{4})[-/](\d{1,2})[-/](\d{1,2})|(\d{1,2})[-/](\d{1,2})[-/](\d{4}))(?:$|\.0$|[T ]\d)/

/** A date within `years`; `swapped`: also `YYYY-DD-MM`, where it can be nothing else. */
export function readDate(text: string, years: YearRange, swapped = false): string | null {
  const match = DATE.exec(text)
  if (match === null) return null
  const [, y1, m1, d1, y2, m2, d2, d3, m3, y3] = match
  if (y1 !== undefined) return dateOf(y1, m1, d1, years)
  if (y3 !== undefined) return dateOf(y3, m3, d3, years)
  return dateOf(y2, m2, d2, years) ?? (swapped ? dateOf(y2, d2, m2, years) : null)
}

function dateOf(y?: string, m?: string, d?: string, { min, max } = ANY_YEAR): string | null {
  const [year, month, day] = [Number(y), Number(m), Number(d)]
  return year >= min && year <= max && isDay(year, month, day) ? isoOf(year, month, day) : null
}

/** Swaps day and month where that gives another date: `2021-03-05` → `2021-05-03`. */
export function exchanged(date: string): string | null {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]
  return month !== day && isDay(year, day, month) ? isoOf(year, day, month) : null
}

export const MAX_ANOS = 120
const UNITS: Record<string, string> = { a: '4', m: '3', d: '2', h: '1' }

/**
 * Age in completed years, also above `MAX_ANOS`. Four digits, the first the unit (4 years, 3 months, 2 days, 1 hours); old files
 * `A029`, `M003`.
 */
export function readIdade(text: string): number | null | undefined {
  const code = withoutFraction(text)
  if (isMissing(code) || code === '0' || code === '0000') return null
  const unit = UNITS[code.charAt(0).toLowerCase()] ?? code.charAt(0)
  const value = code.slice(1)
  if (code.length !== 4 || !isDigits(value) || unit < '0' || unit > '4') return undefined
  return unit === '4' ? Number(value) : 0
}

/** Digits padded to `size`; zero stands for a question left blank. */
export function readPadded(text: string, size: number): string | null | undefined {
  if (isMissing(text)) return null
  const code = codeOf(text)
  if (code === '0') return null
  return isDigits(code) && code.length <= size ? code.padStart(size, '0') : undefined
}

export function readCep(text: string): string | null | undefined {
  return readPadded(withoutFraction(text).replace(/[-. ]/g, ''), 8)
}

/** A CBO code, or the text in its place. */
export function readOcupacao(text: string): string | null {
  if (isMissing(text) || text.toUpperCase() === 'XXX') return null
  return readPadded(text, 6) ?? (codeOf(text) === '0' ? null : text)
}

/** A positive measurement; 0 stands for none. */
export function readMeasure(text: string, max: number, integer: boolean): number | null | undefined {
  if (isMissing(text)) return null
  const value = Number(text.replace(',', '.'))
  if (value === 0) return null
  return value > 0 && value <= max && (!integer || Number.isInteger(value)) ? value : undefined
}

/**
 * Notification number without punctuation (`1'35568`) and leading zeros: a CSV that went through a spreadsheet has lost
 * them, the DBF of the same records has not.
 */
export function readNumero(text: string): string | null {
  if (isMissing(text)) return null
  const bare = isDigits(text) ? text : withoutFraction(text).replace(/['.,\s]/g, '')
  if (isMissing(bare)) return null
  const numero = codeOf(bare)
  return numero === '0' ? null : numero
}

/** Text without what PostgreSQL cannot store, cut to `max` characters. */
export function readText(text: string, max: number): { text: string | null; cut: boolean } {
  if (isMissing(text)) return { text: null, cut: false }
  const storable =
    text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '').toWellFormed() : text
  const trimmed = storable.trim()
  if (trimmed === '') return { text: null, cut: false }
  if (trimmed.length <= max) return { text: trimmed, cut: false }
  const points = [...trimmed]
  return points.length <= max
    ? { text: trimmed, cut: false }
    : { text: points.slice(0, max).join('').trimEnd(), cut: true }
}

const MAX_CACHED = 10_000

/** Caches parsed texts: files repeat the same few values. Unreadable (`undefined`) and long ones are not kept. */
export function cached<V>(read: (text: string) => V | undefined): (text: string) => V | undefined {
  const known = new Map<string, V>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = read(text)
    const isKept = value !== undefined && text.length <= LONGEST_LABEL && known.size < MAX_CACHED
    if (isKept) known.set(text, value)
    return value
  }
}
