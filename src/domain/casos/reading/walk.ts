import type { Db } from '../../../db/db.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { countCasos, selectionOf } from '../counters/counters.sql.ts'
import { unseal } from '../sigilo.ts'
import { casoColumns } from './filters.sql.ts'
import { countFundidos, readCasos, type StoredCaso, type WalkParts } from './walk.sql.ts'
import { placeDados, type WalkedCaso } from './walked.ts'

export type { WalkParts } from './walk.sql.ts'

/** Streams every case of a filter, a block at a time; with names only in an identified read. */
export async function* walkCasos(
  { cipher, municipios }: Pick<App, 'cipher' | 'municipios'>,
  tx: Db,
  filter: Filter,
  parts: WalkParts,
): AsyncGenerator<WalkedCaso[]> {
  const decrypted = (caso: StoredCaso) => ({ ...placeDados(caso), sigilo: unseal(cipher, caso) })
  const open = placeDados as (caso: StoredCaso) => WalkedCaso
  const toWalked = parts.identificado ? decrypted : open
  for await (const casos of readCasos(tx, filter, casoColumns(municipios), parts)) yield casos.map(toWalked)
}

/** Of a walk with these parts. */
export async function totalOfCasos(
  { municipios }: Pick<App, 'municipios'>,
  db: Db,
  filter: Filter,
  { fundidos }: Pick<WalkParts, 'fundidos'>,
): Promise<number> {
  const total = await countCasos(db, selectionOf(filter, municipios))
  return fundidos ? total + (await countFundidos(db, filter, casoColumns(municipios))) : total
}
