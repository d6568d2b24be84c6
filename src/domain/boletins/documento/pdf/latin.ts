/** Signs that the embedded font draws; all others are written with these. */
const DRAWN =
  /[\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]/
const REPLACED: Record<string, string> = {
  '≥': '>=',
  '≤': '<=',
  '≠': '<>',
  '≈': '~',
  '→': '->',
  '←': '<-',
  '\t': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u2010': '-',
  '\u2011': '-',
}
/** Signs without width: directions, joiners, accents left alone. */
const WITHOUT_WIDTH = /[\p{Cf}\p{Mn}\p{Cc}]/u

/** Text for the PDF: accents of other alphabets fall away, what has no letter becomes a question mark. */
export function toLatin(text: string): string {
  return Array.from(text.normalize('NFC'), (sign) => {
    if (DRAWN.test(sign)) return sign
    const replaced = REPLACED[sign]
    if (replaced !== undefined) return replaced
    if (WITHOUT_WIDTH.test(sign)) return ''
    const [base = ''] = sign.normalize('NFKD')
    return DRAWN.test(base) ? base : '?'
  }).join('')
}

/** Title of the file: it goes into XML, where these signs would need escapes that the writer does not make. */
export const toMetadata = (text: string): string =>
  text.replaceAll('&', '+').replaceAll(/[<>]/g, ' ').replaceAll(/\p{C}/gu, ' ').trim()
