/** Values as health files write them, one cell at a time. Pure; what cannot be read is `undefined`, what is not there `null`. */

const MISSING = new Set(['', 'na', 'nan', 'null', 'none'])

export const isMissing = (text: string): boolean => text.length <= 4 && MISSING.has(text.toLowerCase())

/** `10.0`, which is what a spreadsheet or a data frame makes of `10`. */
export const withoutFraction = (text: string): string => (text.endsWith('.0') ? text.slice(0, -2) : text)

const DIGITS = /^[0-9]+$/
export const isDigits = (text: string): boolean => DIGITS.test(text)

/** `09`, `9.0` and `9` are one code. */
export function codeOf(text: string): string {
  const code = withoutFraction(text)
  if (!isDigits(code)) return code
  let start = 0
  while (start < code.length - 1 && code[start] === '0') start++
  return code.slice(start)
}

const MARKS = /\p{M}/gu
const LONGEST_LABEL = 200

/** Only of what may be a name or a label: putting a million combining marks in order takes the square of their number. */
export const withoutAccents = (text: string): string =>
  text.length > LONGEST_LABEL ? text : text.normalize('NFKD').replace(MARKS, '')

/** A label without regard to case, accents, punctuation and what stands in brackets. */
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

export interface Anos {
  min: number
  max: number
}
export const ANY_YEAR: Anos = { min: 1, max: 9999 }

/**
 * `YYYY-MM-DD`, `YYYYMMDD`, `d/m/yyyy`, each with or without a time of day; `trocada`: also `YYYY-DD-MM`, where it can
 * be nothing else.
 */
export function readDate(text: string, anos: Anos, trocada = false): string | null {
  const parts: [number, number, number] = [0, 0, 0]
  const lengths: [number, number, number] = [0, 0, 0]
  let part = 0
  let at = 0
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) {
      parts[part as 0] = parts[part as 0] * 10 + code - 48
      lengths[part as 0]++
    } else if ((code === 45 || code === 47) && part < 2) part++
    else break
  }
  if (part === 0 && lengths[0] === 8 && isEnd(text, at))
    return dateOf(Math.floor(parts[0] / 10_000), Math.floor(parts[0] / 100) % 100, parts[0] % 100, anos)
  if (part !== 2 || !isEnd(text, at)) return null
  const [a, b, c] = parts
  if (lengths[0] === 4 && isShort(lengths[1]) && isShort(lengths[2])) {
    if (at === 10 && text.length === 10 && isDay(a, b, c) && text[4] === '-' && text[7] === '-')
      return a >= anos.min && a <= anos.max ? text : null
    return dateOf(a, b, c, anos) ?? (trocada ? dateOf(a, c, b, anos) : null)
  }
  return lengths[2] === 4 && isShort(lengths[0]) && isShort(lengths[1]) ? dateOf(c, b, a, anos) : null
}

const isShort = (length: number): boolean => length === 1 || length === 2
const dateOf = (year: number, month: number, day: number, { min, max }: Anos): string | null =>
  year >= min && year <= max && isDay(year, month, day) ? isoOf(year, month, day) : null

/** Nothing follows the date, or a time of day does, or the `.0` of a number. */
function isEnd(text: string, at: number): boolean {
  if (at === text.length) return true
  const rest = text.slice(at)
  return rest === '.0' || /^[T ]\d/.test(rest)
}

/** The date with day and month exchanged, where that is another date: `2021-03-05` → `2021-05-03`. */
export function exchanged(date: string): string | null {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8))]
  return month !== day && isDay(year, day, month) ? isoOf(year, day, month) : null
}

const MAX_ANOS = 120
const UNIDADES: Record<string, string> = { a: '4', m: '3', d: '2', h: '1' }

/** Completed years. Four digits, the first the unit (4 years, 3 months, 2 days, 1 hours); old files `A029`, `M003`. */
export function readIdade(text: string): number | null | undefined {
  const code = withoutFraction(text)
  if (isMissing(code) || code === '0' || code === '0000') return null
  const unidade = UNIDADES[code.charAt(0).toLowerCase()] ?? code.charAt(0)
  const value = code.slice(1)
  if (code.length !== 4 || !isDigits(value) || unidade < '0' || unidade > '4') return undefined
  const anos = unidade === '4' ? Number(value) : 0
  return anos > MAX_ANOS ? undefined : anos
}

/** Digits only, padded to `size`; zero is what a form without an answer holds. */
export function readPadded(text: string, size: number): string | null | undefined {
  if (isMissing(text)) return null
  const code = codeOf(text)
  if (code === '0') return null
  return isDigits(code) && code.length <= size ? code.padStart(size, '0') : undefined
}

export function readCep(text: string): string | null | undefined {
  return readPadded(withoutFraction(text).replace(/[-. ]/g, ''), 8)
}

/** A CBO code, or the words that stand in its place. */
export function readOcupacao(text: string): string | null {
  if (isMissing(text) || text.toUpperCase() === 'XXX') return null
  return readPadded(text, 6) ?? (codeOf(text) === '0' ? null : text)
}

/** More than nothing: these columns hold 0 where nothing was measured. */
export function readMedida(text: string, max: number, integer: boolean): number | null | undefined {
  if (isMissing(text)) return null
  const value = Number(text.replace(',', '.'))
  if (value === 0) return null
  return value > 0 && value <= max && (!integer || Number.isInteger(value)) ? value : undefined
}

/**
 * A number typed with quotes and points (`1'35568`) is the number. Its leading zeros do not count: a CSV that went
 * through a spreadsheet has lost them, the DBF of the same records has not.
 */
export function readNumero(text: string): string | null {
  if (isMissing(text)) return null
  const bare = isDigits(text) ? text : withoutFraction(text).replace(/['.,\s]/g, '')
  if (isMissing(bare)) return null
  const numero = codeOf(bare)
  return numero === '0' ? null : numero
}

/** Text as it can be stored, no longer than there is room for. */
export function readTexto(text: string, max: number): { texto: string | null; cortado: boolean } {
  if (isMissing(text)) return { texto: null, cortado: false }
  const clean = text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '').toWellFormed() : text
  const texto = clean.trim()
  if (texto === '') return { texto: null, cortado: false }
  if (texto.length <= max) return { texto, cortado: false }
  const points = [...texto]
  return points.length <= max
    ? { texto, cortado: false }
    : { texto: points.slice(0, max).join('').trimEnd(), cortado: true }
}
