import type { App } from '../domain/app.ts'
import { routeFor } from '../http/route.ts'

/** Rows of both descriptions are handled with the same `App`. */
export const route = routeFor<App>()
