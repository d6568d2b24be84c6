/** Conversion of cells to text. */

/** ECMA-376 18.8.30: the built-in number formats that show a day. */
const BUILT_IN_DATES = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])

export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN_DATES.has(id)
  // Only the letters count: not quoted text, escaped characters, colours or locales; [h] is hours.
  const letters = code
    .split(';', 1)
    .join('')
    .toLowerCase()
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^[\]]*\]/g, '')
  if (letters.includes('general')) return false
  if (/[dy]/.test(letters)) return true
  // An m alone is a month; beside hours or seconds it is minutes.
  return letters.includes('m') && !/[hs]/.test(letters)
}

const DAY_MS = 86_400_000
const LAST_DAY = 2_958_465 // 9999-12-31

/** A serial day as YYYY-MM-DD; null if it is none (a time without a day, a negative number). */
export function formatDate(serial: number, date1904: boolean): string | null {
  const day = Math.floor(serial) + (date1904 ? 1462 : 0)
  if (!(day >= 1 && day <= LAST_DAY)) return null
  // The 1900 system counts a 29 February 1900 that never was.
  const since = day < 60 ? day + 1 : day
  return new Date(Date.UTC(1899, 11, 30) + since * DAY_MS).toISOString().slice(0, 10)
}

/** A number the way a person would type it: `10`, not `10.0` or `1E1`. */
export function formatNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text
  const number = Number(text)
  if (text === '' || !Number.isFinite(number)) return text
  const short = String(number)
  if (!short.includes('e')) return short
  if (Math.abs(number) >= 1e21) return BigInt(number).toString()
  return number.toFixed(20).replace(/\.?0+$/, '')
}

/** ECMA-376 22.9.2.19: _x000D_ stands for a character; a control character becomes a space. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code < 32 ? ' ' : String.fromCharCode(code)
  })
}

/** `AB12` → 27; null without letters. */
export function columnOf(reference: string): number | null {
  let column = 0
  for (let i = 0; i < reference.length && i < 4; i++) {
    const letter = (reference.charCodeAt(i) | 32) - 96
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column === 0 ? null : column - 1
}
