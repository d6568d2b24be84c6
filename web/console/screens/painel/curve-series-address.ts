/** Series of the epidemic curve as the address has them: `series=temp_min_sem:8,chuva`. */

export const MOST_SERIES = 3
export const MOST_LAG = 26

export interface OnCurve {
  codigo: string
  /** Weeks that the series is shifted forward. */
  lag: number
}

const NAME = 'series'
const ONE = /^([a-z][a-z0-9_]{1,39})(?::(\d{1,2}))?$/

/** The first three that are codes; a lag that is none is zero. */
export function readSeries(search: string): OnCurve[] {
  const found = new Map<string, OnCurve>()
  for (const part of (new URLSearchParams(search).get(NAME) ?? '').split(',')) {
    const [, codigo, weeks = '0'] = ONE.exec(part) ?? []
    if (codigo === undefined || found.has(codigo) || found.size === MOST_SERIES) continue
    found.set(codigo, { codigo, lag: Number(weeks) > MOST_LAG ? 0 : Number(weeks) })
  }
  return [...found.values()]
}

/** The same address with other series. */
export function withSeries(path: string, search: string, series: readonly OnCurve[]): string {
  const query = new URLSearchParams(search)
  query.delete(NAME)
  if (series.length > 0)
    query.set(NAME, series.map(({ codigo, lag }) => (lag === 0 ? codigo : `${codigo}:${lag}`)).join(','))
  const text = query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  return text === '' ? path : `${path}?${text}`
}
