import { invalid } from '../errors/catalogue.ts'

/** `include`: names separated by commas; an unknown one is refused. */
export function fromInclude<const N extends string>(text: string | undefined, allowed: readonly N[]): Set<N> {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.some((name) => !(allowed as readonly string[]).includes(name)))
    throw invalid('query', ['include'], 'INVALID_VALUE', { allowed: allowed.join(', ') })
  return new Set(names as N[])
}
