import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { countCasos, selectionOf } from '../counters/counters.sql.ts'
import { type CasoView, concealed, identified } from '../view.ts'
import { casoColumns } from './filters.sql.ts'
import { fetchCasos, openCursor } from './walk.sql.ts'

/** Streams every case of a filter, a block at a time, through a cursor; with names only in an identified read. */
export async function* walkCasos(
  { cipher, municipios }: Pick<App, 'cipher' | 'municipios'>,
  tx: Db,
  filter: Filter,
  identificado: boolean,
): AsyncGenerator<CasoView[]> {
  await openCursor(tx, filter, casoColumns(municipios))
  for (;;) {
    const rows = await fetchCasos(tx)
    if (rows.length === 0) return
    yield rows.map(({ sigilo, ...row }) =>
      identificado ? identified(cipher, { ...row, sigilo }) : concealed(row),
    )
  }
}

export function totalOfCasos(
  { municipios }: Pick<App, 'municipios'>,
  db: Db,
  filter: Filter,
): Promise<number> {
  return countCasos(db, selectionOf(filter, municipios))
}
