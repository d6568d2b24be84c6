import type { Db } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { type CasoRow, OPEN_COLUMNS, type Stored, toCaso } from '../casos.sql.ts'
import type { QuaseIdentificador } from '../enumeracoes.ts'
import type { CasoColumns } from './filters.sql.ts'

/** Quasi-identifiers of a case, as text; empty where unknown. */
export type Quase = Record<QuaseIdentificador, string>
export type QuaseRow = Quase & { total: number }

/** The place is the state where the municipality is unknown. */
const QUASE = sql`
  coalesce(c.data_inicio_sintomas::text, '') as inicio,
  coalesce(c.municipio_residencia::text, c.estado_residencia, '') as lugar,
  coalesce(c.paciente_idade::text, '') as idade,
  coalesce(c.paciente_sexo, '') as sexo, coalesce(c.paciente_raca, '') as raca`

export type QuaseCaso = Quase & { caso: CasoRow }

/** Numbers of cases with the same quasi-identifiers. */
export async function* countQuase(tx: Db, filter: Filter, columns: CasoColumns): AsyncGenerator<QuaseRow[]> {
  await tx.run(sql`
    declare classes no scroll cursor for
    select ${QUASE}, count(*)::integer as total from casos c
    where c.excluido_em is null and ${where(filter, columns)} group by 1, 2, 3, 4, 5`)
  for (;;) {
    const rows = await tx.rows<QuaseRow>(sql`fetch 10000 from classes`)
    if (rows.length === 0) return
    yield rows
  }
}

/** Cases in an order that tells nothing: by a hash with a key that nobody keeps. */
export async function* walkShuffled(
  tx: Db,
  filter: Filter,
  columns: CasoColumns,
  key: string,
): AsyncGenerator<QuaseCaso[]> {
  await tx.run(sql`
    declare extraidos no scroll cursor for
    select ${OPEN_COLUMNS}, ${QUASE} from casos c
    where c.excluido_em is null and ${where(filter, columns)} order by md5(${key} || c.id::text)`)
  for (;;) {
    const rows = await tx.rows<Stored & Quase>(sql`fetch 1000 from extraidos`)
    if (rows.length === 0) return
    yield rows.map(({ inicio, lugar, idade, sexo, raca, ...row }) => ({
      ...{ inicio, lugar, idade, sexo, raca },
      caso: toCaso<CasoRow>(row as Stored),
    }))
  }
}
