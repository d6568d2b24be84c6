import type { Db } from '../../../db/db.ts'
import { prepared, type Sql, sql, unseen } from '../../../db/sql.ts'
import { orderBy, slice, where } from '../../../db/where.ts'
import type { ListQuery } from '../../../filter.ts'
import { ESCRITA, type Escrita } from '../casos.sql.ts'
import { type Consulta, overContados } from '../counters/counters.sql.ts'
import type { Recorte } from '../counters/scope.ts'
import type { CasoColumns } from './filters.sql.ts'

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
export async function listCasos(
  db: Db,
  list: ListQuery,
  columns: CasoColumns,
  { partida, atMost = list.size }: Plano = {},
): Promise<Escrita[]> {
  const offset = partida?.offset ?? (list.page - 1) * list.size
  const rows = await db.rows<{ escrita: Escrita }>(sql`
    select ${ESCRITA} as escrita from casos c
    where c.excluido_em is null and ${where(list.filter, columns)} and ${partida ? since(partida, list) : sql`true`}
    ${orderBy(list, columns, sql`c.id`)} ${slice(atMost, offset)}`)
  return rows.map(({ escrita }) => escrita)
}

function since({ inicio }: Partida, { order }: ListQuery): Sql {
  return order === 'asc' ? sql`c.data_notificacao >= ${inicio}` : sql`c.data_notificacao <= ${inicio}`
}

/** What an index has in the order of days: the country, or one state. */
export interface Ordenados extends Pick<Recorte, 'tipos' | 'classes' | 'periodo'> {
  estado: string | null
  order: 'asc' | 'desc'
  offset: number
}

/** A page whose place is known. */
export async function listByDay(db: Db, ordenados: Ordenados, atMost: number): Promise<Escrita[]> {
  const rows = await db.rows<{ escrita: Escrita }>(
    prepared(escritasByDay(ordenados, unseen(atMost, 'bigint'))),
  )
  return rows.map(({ escrita }) => escrita)
}

/** How many there are, and a page of them, between blanks: it looks for no more than there are. */
export function pageByDay(consulta: Consulta, ordenados: Ordenados, size: number): Sql {
  const atMost = sql`greatest(0, least(${unseen(size, 'bigint')}, t.total - ${unseen(ordenados.offset, 'bigint')}))`
  return overContados(
    consulta,
    { tempo: 'sempre' },
    (contados) => sql`
      select t.total, array_to_string(array(${escritasByDay(ordenados, atMost)}), ' ') as escritas
      from (select coalesce(sum(total), 0) as total from (${contados}) f) t`,
  )
}

/** Of the country, days are long: where the index knows all that is asked for, they are passed over in it. */
function escritasByDay(ordenados: Ordenados, limit: Sql): Sql {
  const { estado, tipos, classes } = ordenados
  const isKnownToIndex = estado === null && tipos === null && classes === null
  if (!isKnownToIndex) return inOrder(ordenados, sql`${ESCRITA} as escrita`, limit)
  const direction = directionOf(ordenados)
  return sql`
    select ${ESCRITA} as escrita from casos c where c.id = any(array(${inOrder(ordenados, sql`c.id`, limit)}))
    order by c.data_notificacao ${direction}, c.id ${direction}`
}

const directionOf = ({ order }: Ordenados) => (order === 'asc' ? sql`asc` : sql`desc`)

/** Whatever the values the plan is the same, and kept: planning took several times as long as the statement itself. */
function inOrder(ordenados: Ordenados, columns: Sql, limit: Sql): Sql {
  const { estado, tipos, classes, periodo, offset } = ordenados
  const { de, ate } = periodo
  const direction = directionOf(ordenados)
  return sql`
    select ${columns} from casos c
    where c.excluido_em is null
      and ${estado === null ? sql`true` : sql`c.estado_residencia = ${unseen(estado, 'text')}`}
      and ${tipos === null ? sql`true` : sql`c.tipo_agravo = any(${unseen(tipos, 'text[]')})`}
      and ${classes === null ? sql`true` : sql`coalesce(c.classificacao_final, '') = any(${unseen(classes, 'text[]')})`}
      and ${de === null ? sql`true` : sql`c.data_notificacao >= ${unseen(de, 'date')}`}
      and ${ate === null ? sql`true` : sql`c.data_notificacao <= ${unseen(ate, 'date')}`}
    order by c.data_notificacao ${direction}, c.id ${direction}
    limit ${limit} offset ${unseen(offset, 'bigint')}`
}
