import type { Db } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'
import { orderBy, where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { type CasoWithSigilo, OPEN_COLUMNS, type Stored, toCaso } from '../casos.sql.ts'
import type { CasoColumns } from './filters.sql.ts'

/** Opens the cursor: one snapshot for the whole walk, in the order of the list. */
export function openCursor(tx: Db, filter: Filter, columns: CasoColumns): Promise<number> {
  return tx.run(sql`
    declare casos_percorridos no scroll cursor for
    select ${OPEN_COLUMNS}, c.sigilo from casos c
    where c.excluido_em is null and ${where(filter, columns)}
    ${orderBy({ sort: 'data_notificacao', order: 'desc' }, columns, sql`c.id`)}`)
}

export async function fetchCasos(tx: Db): Promise<CasoWithSigilo[]> {
  const rows = await tx.rows<Stored>(sql`fetch 1000 from casos_percorridos`)
  return rows.map((row) => toCaso<CasoWithSigilo>(row))
}
