import { invalid } from '../errors/catalogue.ts'

/** Parses comma-separated names; refuses unknown ones. */
export function fromNames<const N extends string>(
  parameter: string,
  text: string | undefined,
  allowed: readonly N[],
): Set<N> {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.some((name) => !(allowed as readonly string[]).includes(name)))
    throw invalid('query', [parameter], 'INVALID_VALUE', { allowed: allowed.join(', ') })
  return new Set(names as N[])
}

export function fromInclude<const N extends string>(text: string | undefined, allowed: readonly N[]): Set<N> {
  return fromNames('include', text, allowed)
}
