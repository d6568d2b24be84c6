/** A line of the text format of COPY. */
export const copyLine = (values: readonly unknown[]): string => `${copyFields(values)}\n`

/** Fields of such a line, with tabs between them. */
export function copyFields(values: readonly unknown[]): string {
  let line = ''
  for (let i = 0; i < values.length; i++) {
    if (i > 0) line += '\t'
    const value = values[i]
    if (value === null) line += '\\N'
    else if (typeof value === 'string') line += SPECIAL.test(value) ? value.replaceAll(EACH, escaped) : value
    else if (typeof value === 'boolean') line += value ? 't' : 'f'
    else if (Buffer.isBuffer(value)) line += `\\\\x${value.toString('hex')}`
    else line += String(value)
  }
  return line
}

const SPECIAL = /[\\\t\n\r\b\f\v]/
const EACH = /[\\\t\n\r\b\f\v]/g
const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}
const escaped = (character: string) => ESCAPES[character] as string
