/** Levels of objects and lists in a body: more than any client means, and few enough for code that walks a tree by recursion. */
export const MAX_NESTING = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Counts brackets in one pass over the text, before anything is parsed; brackets inside strings do not count. A text with
 * fewer opening brackets than the limit, as nearly every body is, needs no such pass.
 */
export function isNestedDeeperThan(json: string, limit: number): boolean {
  if (!hasMoreThan(limit, json, ['{', '['])) return false
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (code === QUOTE) i = endOfString(json, i + 1)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > limit) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}

/** Counts occurrences with the engine's own search, up to the limit. */
function hasMoreThan(limit: number, text: string, signs: readonly string[]): boolean {
  let count = 0
  for (const sign of signs)
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
      if (++count > limit) return true
  return false
}

/** The place of the closing quote, or the end of a text that is cut off. */
function endOfString(json: string, from: number): number {
  let i = from
  while (i < json.length && json.charCodeAt(i) !== QUOTE) i += json.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}
