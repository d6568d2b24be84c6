import type { Caller } from '../../../caller/caller.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { selectionOf } from '../counters/counters.sql.ts'
import { withinTerritorio } from '../territorio.ts'
import { type Summary, type SummaryRequest, summaryOf } from './estatisticas.ts'
import { readNumbers } from './fonte.ts'
import { isOfCounters } from './grupos.ts'
import { assertHasResidents, withIncidencia } from './incidencia.ts'

/** Summary of cases, with their incidence where that was asked for: both of one snapshot. */
export async function summarise(
  app: Pick<App, 'db' | 'reader' | 'municipios' | 'territorios' | 'populacao' | 'clock'>,
  caller: Caller,
  { incidencia, ...request }: SummaryRequest & { incidencia: boolean },
): Promise<Summary> {
  const filter = withinTerritorio(request.filter, caller)
  if (incidencia) assertHasResidents(filter, app.municipios)
  const counted = selectionOf(filter, app.municipios).scope !== null && request.agruparPor.every(isOfCounters)
  return readNumbers(app, { counted }, (from) => {
    if (!incidencia) return summaryOf({ ...app, db: from }, { ...request, filter })
    return from.snapshot(async (db) => {
      const ofCases = (filter: Filter) => summaryOf({ ...app, db }, { ...request, filter })
      return withIncidencia(app, filter, await ofCases(filter), ofCases)
    })
  })
}
