import { PATHS, pathTo } from '../../paths.ts'
import { cache } from '../../state/session.ts'

/** Beginning of the keys of all that is read of series. */
export const SERIES = ['series'] as const
export const refreshSeries = () => cache.invalidateQueries({ queryKey: SERIES })

export const serieHref = (codigo: string) => pathTo(PATHS.serie, { codigo })
