import type { Db } from '../../../db/db.ts'
import type { ScopePlace } from '../counters/scope.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import { findLatestChange, findLatestImport } from './mudancas.sql.ts'

/** Latest change in the states of the places: an index by municipality would cost imports more than the moment is worth (D-233). */
export async function latestChange(
  db: Db,
  tipo: TipoAgravo,
  lugares: readonly ScopePlace[] | null,
): Promise<string | null> {
  return (await findLatestChange(db, tipo, ufsOf(lugares)))?.toISOString() ?? null
}

/** Latest import that is not undone and wrote cases there; a file that does not name its disease may be of any. */
export async function latestImport(
  db: Db,
  tipo: TipoAgravo,
  lugares: readonly ScopePlace[] | null,
): Promise<string | null> {
  return (await findLatestImport(db, tipo, ufsOf(lugares)))?.toISOString() ?? null
}

const ufsOf = (lugares: readonly ScopePlace[] | null) => lugares && [...new Set(lugares.map(({ uf }) => uf))]
