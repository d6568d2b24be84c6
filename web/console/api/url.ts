import type { QueryValue } from './rows.ts'

/** Path with its parameters filled in, and the query; parameters without a value are left out. */
export function urlOf(
  path: string,
  {
    params = {},
    query = {},
  }: { params?: Record<string, string | number>; query?: Record<string, QueryValue> },
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return search === '' ? filled : `${filled}?${search}`
}
