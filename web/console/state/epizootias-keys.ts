import { PATHS, pathTo } from '../paths.ts'
import { cache } from './session.ts'

/** Beginning of the keys of all that is read of events. */
export const EPIZOOTIAS = ['epizootias'] as const
export const refreshEpizootias = () => cache.invalidateQueries({ queryKey: EPIZOOTIAS })

export const epizootiaHref = (id: number) => pathTo(PATHS.epizootia, { id })
