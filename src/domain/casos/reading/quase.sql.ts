import { readBlocks } from '../../../db/cursor.ts'
import type { Db } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { COLUMN_FIELDS, type OpenField } from '../campos.ts'
import { selected } from '../casos.sql.ts'
import type { QuaseIdentificador } from '../enumeracoes.ts'
import type { CasoColumns } from './filters.sql.ts'
import type { StoredCaso } from './walk.sql.ts'

/** Quasi-identifiers of a case, as text; empty where unknown. */
export type Quase = Record<QuaseIdentificador, string>
export type QuaseRow = Quase & { total: number }

/** The place is the state where the municipality is unknown. */
const QUASE = sql`
  coalesce(c.data_inicio_sintomas::text, '') as inicio,
  coalesce(c.municipio_residencia::text, c.estado_residencia, '') as lugar,
  coalesce(c.paciente_idade::text, '') as idade,
  coalesce(c.paciente_sexo, '') as sexo, coalesce(c.paciente_raca, '') as raca`

/** A case with the fields that were asked for alone, as it is stored. */
export type StoredQuase = Quase & StoredCaso

/**
 * Sorts and groups all cases in memory rather than in files, and lets the choice of levels take its time between two statements:
 * this transaction only reads, and holds nobody back.
 */
const SETTINGS = sql`select set_config('work_mem', '64MB', true),
  set_config('idle_in_transaction_session_timeout', '10min', true)`

/** Numbers of cases with the same quasi-identifiers. Grouped as they are stored: texts are made of each group, not of each case. */
export async function* countQuase(tx: Db, filter: Filter, columns: CasoColumns): AsyncGenerator<QuaseRow[]> {
  await tx.run(SETTINGS)
  yield* readBlocks<QuaseRow>(
    tx,
    'classes',
    sql`select ${QUASE}, c.total from (
      select c.data_inicio_sintomas, c.municipio_residencia,
        case when c.municipio_residencia is null then c.estado_residencia end as estado_residencia,
        c.paciente_idade, c.paciente_sexo, c.paciente_raca, count(*)::integer as total
      from casos c where c.excluido_em is null and ${where(filter, columns)} group by 1, 2, 3, 4, 5, 6) c`,
  )
}

/** Cases in an order that tells nothing: by a hash with a key that nobody keeps, as numbers, which sort faster than texts. */
export async function* walkShuffled(
  tx: Db,
  filter: Filter,
  columns: CasoColumns,
  { key, campos }: { key: string; campos: readonly OpenField[] },
): AsyncGenerator<StoredQuase[]> {
  await tx.run(SETTINGS)
  const fields = COLUMN_FIELDS.filter((nome) => campos.includes(nome))
  yield* readBlocks<StoredQuase>(
    tx,
    'extraidos',
    sql`select c.id, ${selected(fields)}, c.dados, ${QUASE} from casos c
      where c.excluido_em is null and ${where(filter, columns)} order by md5(${key} || c.id::text)::uuid`,
  )
}
