import type { Db } from '../../db/db.ts'
import { prepared, type Sql, sql, unseen } from '../../db/sql.ts'
import { orderBy, slice, where } from '../../db/where.ts'
import type { ListQuery } from '../../filter.ts'
import { REFERENCIA, type Referencia } from './casos.sql.ts'
import type { CasoColumns } from './filtros.sql.ts'
import type { Periodo, Recorte } from './recorte.ts'

/** Which cases a page has, in their order. */

/** Where a page begins: so many rows after the first of this day. */
export interface Partida {
  inicio: string
  offset: number
}

export interface Plano {
  /** Spares the way from the first row of the list, where it is known. */
  partida?: Partida
  /** How many rows there can be, where that is less than a page: beyond them are only those that nobody may see yet. */
  atMost?: number
}

/** Any filter in any order. */
export function listCasos(
  db: Db,
  list: ListQuery,
  columns: CasoColumns,
  { partida, atMost = list.size }: Plano = {},
): Promise<Referencia[]> {
  const offset = partida?.offset ?? (list.page - 1) * list.size
  return db.rows(sql`
    select ${REFERENCIA} from casos c
    where c.excluido_em is null and ${where(list.filter, columns)} and ${partida ? since(partida, list) : sql`true`}
    ${orderBy(list, columns, sql`c.id`)} ${slice(atMost, offset)}`)
}

function since({ inicio }: Partida, { order }: ListQuery): Sql {
  return order === 'asc' ? sql`c.data_notificacao >= ${inicio}` : sql`c.data_notificacao <= ${inicio}`
}

/** What an index has in the order of days: the country, or one state. */
export interface Ordenados extends Pick<Recorte, 'tipos' | 'classes'> {
  estado: string | null
  periodo: Periodo
  order: 'asc' | 'desc'
  offset: number
  atMost: number
}

/** Whatever the values the plan is the same, and kept: planning took several times as long as the statement itself. */
export function listByDay(
  db: Db,
  { estado, tipos, classes, periodo: { de, ate }, order, offset, atMost }: Ordenados,
): Promise<Referencia[]> {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  const inOrder = sql`order by c.data_notificacao ${direction}, c.id ${direction}`
  const page = (columns: Sql) => sql`
    select ${columns} from casos c
    where c.excluido_em is null
      and ${estado === null ? sql`true` : sql`c.estado_residencia = ${unseen(estado, 'text')}`}
      and ${tipos === null ? sql`true` : sql`c.tipo_agravo = any(${unseen(tipos, 'text[]')})`}
      and ${classes === null ? sql`true` : sql`coalesce(c.classificacao_final, '') = any(${unseen(classes, 'text[]')})`}
      and ${de === null ? sql`true` : sql`c.data_notificacao >= ${unseen(de, 'date')}`}
      and ${ate === null ? sql`true` : sql`c.data_notificacao <= ${unseen(ate, 'date')}`}
    ${inOrder} limit ${unseen(atMost, 'bigint')} offset ${unseen(offset, 'bigint')}`
  // Of the country, days are long: where the index knows all that is asked for, they are passed over in it.
  const isKnownToIndex = estado === null && tipos === null && classes === null
  const statement = isKnownToIndex
    ? sql`select ${REFERENCIA} from casos c where c.id = any(array(${page(sql`c.id`)})) ${inOrder}`
    : page(REFERENCIA)
  return db.rows(prepared(statement))
}
