import type { App } from '../domain/app.ts'
import { routeFor } from '../http/route.ts'

/** Row of a route, handled with `App`. */
export const route = routeFor<App>()
