import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import type { OpenField } from '../campos.ts'
import { casoColumns } from './filters.sql.ts'
import type { Quase, StoredQuase } from './quase.sql.ts'
import * as statements from './quase.sql.ts'
import { placeDados, type WalkedCaso } from './walked.ts'

export type { Quase, QuaseRow } from './quase.sql.ts'

/** A case with the fields that were asked for alone. */
export type QuaseCaso = Quase & WalkedCaso

/** Streams the classes of cases with the same quasi-identifiers, each with its size. */
export const countQuase = ({ municipios }: Pick<App, 'municipios'>, tx: Db, filter: Filter) =>
  statements.countQuase(tx, filter, casoColumns(municipios))

/** Streams the cases of a filter, in an order that a key decides, with their quasi-identifiers and the fields that are asked for. */
export async function* walkShuffled(
  { municipios }: Pick<App, 'municipios'>,
  tx: Db,
  filter: Filter,
  asked: { key: string; campos: readonly OpenField[] },
): AsyncGenerator<QuaseCaso[]> {
  const toWalked = placeDados as (caso: StoredQuase) => QuaseCaso
  for await (const casos of statements.walkShuffled(tx, filter, casoColumns(municipios), asked))
    yield casos.map(toWalked)
}
