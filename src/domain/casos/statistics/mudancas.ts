import type { Db } from '../../../db/db.ts'
import type { ScopePlace } from '../counters/scope.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import { findLatestChange } from './mudancas.sql.ts'

/** Latest change in the states of the places: an index by municipality would cost imports more than the moment is worth (D-233). */
export async function latestChange(
  db: Db,
  tipo: TipoAgravo,
  lugares: readonly ScopePlace[] | null,
): Promise<string | null> {
  const ufs = lugares === null ? null : [...new Set(lugares.map(({ uf }) => uf))]
  return (await findLatestChange(db, tipo, ufs))?.toISOString() ?? null
}
