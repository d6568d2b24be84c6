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
  const ownPrefixOf = own === undefined ? null : ownPrefixes(own)
  return (values) => {
    let text = ''
    for (const { nome, prefix, bare } of compiled) {
      const value = values[nome]
      if (value === null) continue
      text += `${text === '' ? '{' : ','}${prefix}${bare ? `"${value}"` : JSON.stringify(value)}`
    }
    if (ownPrefixOf !== null)
      for (const nome in values) {
        // Most fields have no value: it is read before its name is looked up.
        const value = (values as Record<string, unknown>)[nome]
        if (value === null || value === undefined) continue
        const prefix = ownPrefixOf(nome)
        if (prefix !== null) text += `${text === '' ? '{' : ','}${prefix}${JSON.stringify(value)}`
      }
    return text === '' ? '{}' : `${text}}`
  }
}

const MAX_PREFIXES = 10_000

/** Caches the key of each own field under a prefix; null for all other names. */
function ownPrefixes(own: string): (nome: string) => string | null {
  const known = new Map<string, string | null>()
  return (nome) => {
    const before = known.get(nome)
    if (before !== undefined) return before
    const prefix =
      nome.startsWith(own) && isProprio(nome) ? `${JSON.stringify(nome.slice(own.length))}:` : null
    if (known.size < MAX_PREFIXES) known.set(nome, prefix)
    return prefix
  }
}
