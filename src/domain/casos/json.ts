import { CAMPOS, type Campos, type FieldName } from './campos.ts'
import { isProprio } from './proprios.ts'

/** Kinds whose text never needs escaping: words of an enumeration, dates, checked codes. */
const BARE = new Set(['one-of', 'date', 'code'])

type Values = Pick<Campos, FieldName> | Record<FieldName, unknown>

/**
 * Compiles a JSON serialiser for a list of fields, each with its key; fields without a value are left out. Written piece by
 * piece: no object of dozens of keys is made for each row only to be serialised. `own`: prefix of the own fields that follow them.
 */
export function jsonWriter(
  fields: readonly (readonly [FieldName, string])[],
  own?: string,
): (values: Values) => string {
  const compiled = fields.map(([nome, key]) => ({
    nome,
    prefix: `${JSON.stringify(key)}:`,
    bare: BARE.has(CAMPOS[nome].kind),
  }))
  return (values) => {
    let text = ''
    for (const { nome, prefix, bare } of compiled) {
      const value = values[nome]
      if (value === null) continue
      text += `${text === '' ? '{' : ','}${prefix}${bare ? `"${value}"` : JSON.stringify(value)}`
    }
    if (own !== undefined)
      for (const [key, value] of ownValues(values, own))
        text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${JSON.stringify(value)}`
    return text === '' ? '{}' : `${text}}`
  }
}

/** Values of own fields under a prefix, each with its key. */
function ownValues(values: Values, prefix: string): [key: string, value: unknown][] {
  const found: [string, unknown][] = []
  for (const nome in values) {
    if (!nome.startsWith(prefix) || !isProprio(nome)) continue
    const value = (values as Record<string, unknown>)[nome]
    if (value !== null && value !== undefined) found.push([nome.slice(prefix.length), value])
  }
  return found
}
