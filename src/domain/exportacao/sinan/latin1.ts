/**
 * Latin-1, in which SINAN writes: letters without a place in it become their base letter, typographic signs the plain ones, anything
 * else a question mark.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are part of Latin-1, but for those that Windows-1252 has signs for
const OUTSIDE = /[^\x00-\x7f\xa0-\xff]/u
const EACH_OUTSIDE = new RegExp(OUTSIDE, 'gu')
const MARKS = /\p{M}/gu

export const isLatin1 = (text: string): boolean => !OUTSIDE.test(text)

export const toLatin1 = (text: string): string =>
  isLatin1(text) ? text : text.normalize('NFC').replace(EACH_OUTSIDE, replacementOf)

/** By its decomposition (`ễ` is `e` with two marks), else by the table. */
const replacementOf = (character: string): string =>
  [...character.normalize('NFKD').replace(MARKS, '')]
    .map((one) => (isLatin1(one) ? one : signOf(one)))
    .join('')

function signOf(character: string): string {
  const plain = PLAIN.get(character)
  if (plain !== undefined) return plain
  if (/\p{Cf}/u.test(character)) return ''
  return /[\p{Cc}\p{Z}]/u.test(character) ? ' ' : '?'
}

/** Letters and signs without a decomposition, by their replacement. */
const PLAIN = new Map(
  Object.entries({
    ...{ D: 'ĐƉ', d: 'đ', E: 'Ə', e: 'ə', H: 'Ħ', h: 'ħ', I: 'Ɨ', i: 'ıɨ', k: 'ĸ', L: 'Ł', l: 'ł' },
    ...{ N: 'Ŋ', n: 'ŋ', T: 'Ŧ', t: 'ŧ', f: 'ƒ', OE: 'Œ', oe: 'œ', ß: 'ẞ', EUR: '€' },
    ...{ "'": '‘’‚‛′ʹʻʼˈ', '"': '“”„‟', '-': '‐‑‒–—―−', '/': '⁄∕', '<': '‹', '>': '›', '·': '•‧' },
  }).flatMap(([plain, characters]) => [...characters].map((character) => [character, plain] as const)),
)
