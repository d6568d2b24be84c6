import { CliError, EXIT } from './context.ts'
import type { Texts } from './texts.ts'

/** `--filtro` and `--busca`. */
export interface Filtering {
  filtro?: readonly string[]
  busca?: string
}

/** `idade[gte]=60` → `{'idade[gte]': '60'}`, as the service reads it; it knows the names, and refuses others. */
export function filtersOf({ filtro = [], busca }: Filtering, t: Texts): Record<string, string> {
  const pairs = filtro.map((text) => {
    const [, name, value] = /^([\w.]+(?:\[\w+\])?)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined) throw new CliError(t.badFilter(text), EXIT.usage)
    return [name, value]
  })
  return { ...Object.fromEntries(pairs), ...(busca !== undefined && { search: busca }) }
}
