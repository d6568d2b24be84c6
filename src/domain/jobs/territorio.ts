import type { Caller } from '../../caller/caller.ts'
import { isWithin, lugaresFrom, resolveTerritorio, type Territorio } from '../../caller/territorio.ts'
import type { App } from '../app.ts'
import type { JobRow } from './jobs.sql.ts'

type Reference = Pick<App, 'municipios' | 'territorios'>
type Bounded = Pick<JobRow, 'territorios'>

/** Territory that bounds a job: its owner's at the request, which is compared with the present one before the end. */
export function territorioOf(reference: Reference, { territorios }: Bounded): Territorio | null {
  return territorios && resolveTerritorio(reference, lugaresFrom(territorios))
}

/** False once the caller's territory is smaller than the one that selected the job's file and result. */
export function isStillWithin(
  reference: Reference,
  { territorio }: Pick<Caller, 'territorio'>,
  job: Bounded,
): boolean {
  return isWithin(territorioOf(reference, job), territorio, reference)
}
