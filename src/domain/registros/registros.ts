import { type Caller, holds } from '../../caller/caller.ts'
import type { Sql } from '../../db/sql.ts'
import type { ListQuery, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import type { AuditoriaRow } from '../auditoria/auditoria.sql.ts'
import { pageOfAuditoria } from '../auditoria/list.ts'
import { openMotivo } from '../auditoria/motivo.ts'
import { reachOf } from '../territorios/alcance.ts'
import { isPlacedWithin } from './registros.sql.ts'

/**
 * Audit as a caller may read it. One with a territory reads its own acts and what was done to the cases and accounts inside;
 * a record that is about neither, or about one that is gone, has no place (D-205). Apart from `auditoria`, which every feature
 * writes to: reading needs the features that know where cases and accounts are.
 */
export async function pageOfRegistros(
  { db, municipios, cipher }: Pick<App, 'db' | 'municipios' | 'cipher'>,
  caller: Caller,
  list: ListQuery,
): Promise<Page<AuditoriaRow>> {
  const page = await pageOfAuditoria(db, list, readableBy(caller, municipios))
  const mayRead = holds(caller, 'agravos.identificar')
  return { ...page, items: page.items.map((row) => openMotivo(cipher, row, mayRead)) }
}

/** Condition on the records that the caller may read; null: all. */
export function readableBy(
  caller: Pick<Caller, 'id' | 'territorio'>,
  municipios: App['municipios'],
): Sql | null {
  const { id, territorio } = caller
  const reach = reachOf(caller)
  return territorio === null || reach === null ? null : isPlacedWithin({ id, territorio, reach, municipios })
}
