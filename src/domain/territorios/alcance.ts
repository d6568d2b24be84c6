import { ESTADOS_IBGE } from '../../brasil/uf.ts'
import type { Caller } from '../../caller/caller.ts'
import { isWithin, type LugarDoTerritorio, lugaresFrom, resolveTerritorio } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { Filter } from '../../filter.ts'
import type { App } from '../app.ts'
import { isReached } from './alcance.sql.ts'

export { boundTo, type Reach, reachedBy, replaceTerritorios } from './alcance.sql.ts'

/**
 * Reach of an account: the accounts that it may read and manage. Without a territory, all of them; with one, itself and those whose
 * places all lie inside its own. Administrators and accounts without a place are within nobody's territory (D-171).
 */

type Bound = Pick<Caller, 'id' | 'territorio'>

/** Value of the internal filter field `alcance`: the caller's id, then codes of places. Null: everybody. */
export function reachOf({ id, territorio }: Bound): (number | string)[] | null {
  if (territorio === null) return null
  const { ufs, regioes, municipios } = territorio
  return [id, ...ufs, ...stateCodesOf(ufs), ...[...regioes, ...municipios].map(String)]
}

/** Codes that begin those of a state's regions and municipalities. */
export function stateCodesOf(ufs: ReadonlySet<string>): string[] {
  return ESTADOS_IBGE.filter(({ uf }) => ufs.has(uf)).map(({ codigo }) => String(codigo))
}

/** The filter on accounts that is asked in place of the caller's. */
export function withinReach(filter: Filter, caller: Bound): Filter {
  const value = reachOf(caller)
  if (value === null) return filter
  return { kind: 'and', of: [filter, { kind: 'test', field: 'alcance', op: 'in', value }] }
}

export async function isWithinReach(db: Db, caller: Bound, usuarioId: number): Promise<boolean> {
  const reach = reachOf(caller)
  return reach === null || caller.id === usuarioId || isReached(db, reach, usuarioId)
}

/** An account out of reach is not there. */
export async function assertWithinReach(db: Db, caller: Bound, usuarioId: number): Promise<void> {
  if (!(await isWithinReach(db, caller, usuarioId))) throw new AppError('NOT_FOUND')
}

/** Refuses to bind an account to more than the caller's own territory; no place at all would be the whole country. */
export function assertMayBind(
  reference: Pick<App, 'municipios' | 'territorios'>,
  { territorio }: Pick<Caller, 'territorio'>,
  lugares: readonly LugarDoTerritorio[],
): void {
  if (territorio === null) return
  if (lugares.length === 0 || !isWithin(resolveTerritorio(reference, lugares), territorio, reference))
    throw new AppError('OUT_OF_TERRITORY')
}

/** Places of an account that the caller creates without naming any: the caller's own. */
export function ownLugares({ territorio }: Pick<Caller, 'territorio'>): LugarDoTerritorio[] {
  return territorio === null ? [] : lugaresFrom(territorio.lugares)
}
