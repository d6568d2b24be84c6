import { readBlocks } from '../../../db/cursor.ts'
import type { Db } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'
import { orderBy, where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { OPEN_FIELDS } from '../casos.sql.ts'
import type { CasoColumns } from './filters.sql.ts'
import type { WalkedCaso } from './walked.ts'

/** Parts of a case that few walks need, each of which costs time. */
export interface WalkParts {
  /** Decrypts the fields that identify the patient. */
  identificado: boolean
  /** When it was registered and changed; null otherwise. */
  momentos: boolean
  /** Whether it came in a file of SINAN; false otherwise. */
  origem: boolean
}

export type StoredCaso = Omit<WalkedCaso, 'sigilo'> & { sigilo: Buffer | null }

/** Cases of a filter in the order of the list. */
export function readCasos(
  tx: Db,
  filter: Filter,
  columns: CasoColumns,
  { identificado, momentos, origem }: WalkParts,
): AsyncGenerator<StoredCaso[]> {
  const sigilo = identificado ? sql`c.sigilo` : sql`null as sigilo`
  const moments = momentos ? sql`c.criado_em, c.atualizado_em` : sql`null as criado_em, null as atualizado_em`
  const sinan = sql`coalesce(c.importacao_id in (select i.id from importacoes i where i.layout = 'sinan'), false)`
  return readBlocks(
    tx,
    'casos_percorridos',
    sql`select c.id, ${OPEN_FIELDS}, ${sigilo}, ${moments}, ${origem ? sinan : sql`false`} as do_sinan from casos c
      where c.excluido_em is null and ${where(filter, columns)}
      ${orderBy({ sort: 'data_notificacao', order: 'desc' }, columns, sql`c.id`)}`,
  )
}
