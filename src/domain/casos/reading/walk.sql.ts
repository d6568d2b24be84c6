import { readBlocks } from '../../../db/cursor.ts'
import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { orderBy, where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { OPEN_FIELDS } from '../casos.sql.ts'
import type { CasoColumns } from './filters.sql.ts'
import type { Dados, WalkedCaso } from './walked.ts'

/** Parts of a case that few walks need, each of which costs time. */
export interface WalkParts {
  /** Decrypts the fields that identify the patient. */
  identificado: boolean
  /** Moments of registration and last change; null otherwise. */
  momentos: boolean
  /** Columns that only SINAN has: whether it came in one of its files, and its mark of duplicates; false and null otherwise. */
  sinan: boolean
  /** Cases that another one absorbed, too. */
  fundidos: boolean
}

/** A case as it is stored. */
export type StoredCaso = Omit<WalkedCaso, 'sigilo' | keyof Dados> & {
  dados: Record<string, unknown>
  sigilo: Buffer | null
}

const DO_SINAN = sql`coalesce(c.importacao_id in (select i.id from importacoes i where i.layout = 'sinan'), false)`

/** `NDUPLIC_N` of SINAN: 2 for a case that another one absorbed, 1 for one that somebody told apart from another. */
const MARCA = sql`
  case when c.fundido_com is not null then '2'
    when c.id in (
      select unnest(array[d.caso_1, d.caso_2]) from duplicidades d where d.situacao = 'outra_pessoa') then '1' end`

const walked = (fundidos: boolean): Sql =>
  fundidos ? sql`(c.excluido_em is null or c.fundido_com is not null)` : sql`c.excluido_em is null`

/** Number of the absorbed cases of a filter. */
export function countFundidos(tx: Db, filter: Filter, columns: CasoColumns): Promise<number> {
  return tx.value(sql`
    select count(*)::integer from casos c where c.fundido_com is not null and ${where(filter, columns)}`)
}

/** Cases of a filter in the order of the list. */
export function readCasos(
  tx: Db,
  filter: Filter,
  columns: CasoColumns,
  { identificado, momentos, sinan, fundidos }: WalkParts,
): AsyncGenerator<StoredCaso[]> {
  const sigilo = identificado ? sql`c.sigilo` : sql`null as sigilo`
  const moments = momentos ? sql`c.criado_em, c.atualizado_em` : sql`null as criado_em, null as atualizado_em`
  const ofSinan = sinan
    ? sql`${DO_SINAN} as do_sinan, ${MARCA} as marca`
    : sql`false as do_sinan, null as marca`
  return readBlocks(
    tx,
    'casos_percorridos',
    sql`select c.id, ${OPEN_FIELDS}, ${sigilo}, ${moments}, ${ofSinan} from casos c
      where ${walked(fundidos)} and ${where(filter, columns)}
      ${orderBy({ sort: 'data_notificacao', order: 'desc' }, columns, sql`c.id`)}`,
  )
}
