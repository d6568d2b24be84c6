import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import type { OpenField } from '../campos.ts'
import { casoColumns } from './filters.sql.ts'
import * as statements from './quase.sql.ts'

export type { Quase, QuaseCaso, QuaseRow } from './quase.sql.ts'

/** Streams the classes of cases with the same quasi-identifiers, each with its size. */
export const countQuase = ({ municipios }: Pick<App, 'municipios'>, tx: Db, filter: Filter) =>
  statements.countQuase(tx, filter, casoColumns(municipios))

/** Streams the cases of a filter, in an order that a key decides, with their quasi-identifiers and the fields that are asked for. */
export const walkShuffled = (
  { municipios }: Pick<App, 'municipios'>,
  tx: Db,
  filter: Filter,
  asked: { key: string; campos: readonly OpenField[] },
) => statements.walkShuffled(tx, filter, casoColumns(municipios), asked)
