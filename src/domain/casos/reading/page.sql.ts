import type { Db } from '../../../db/db.ts'
import { join, opaque, prepared, type Sql, sql } from '../../../db/sql.ts'
import { orderBy, slice, where } from '../../../db/where.ts'
import type { ListQuery } from '../../../filter.ts'
import { type ListedCaso, listedColumns } from '../casos.sql.ts'
import type { Scope, ScopePlace } from '../counters/scope.ts'
import { type CasoColumns, hasOnsetIn } from './filters.sql.ts'

/**
 * One JSON array of all rows, in their order: the driver decodes one value a page instead of some twenty for each row, which was
 * the larger part of the CPU of a list. PostgreSQL pays a little more for writing it.
 */
const asOneValue = (rows: Sql) => sql`select coalesce(json_agg(p), '[]') as page from (${rows}) p`

/** Rows of any filter in any order; `atMost` of them, since the total is known. */
export function listCasos(
  db: Db,
  list: ListQuery,
  columns: CasoColumns,
  atMost = list.size,
  withDados = true,
): Promise<ListedCaso[]> {
  return db.value(
    asOneValue(sql`
      select c.id, ${listedColumns(withDados)} from casos c
      where c.excluido_em is null and ${where(list.filter, columns)}
      ${orderBy(list, columns, sql`c.id`)} ${slice(atMost, (list.page - 1) * list.size)}`),
  )
}

/** A scope that indexes have in the order of days: the country, states and municipalities. */
export interface DayOrdered extends Scope {
  order: 'asc' | 'desc'
}

/**
 * Rows in the order of days. One prepared statement for each shape of scope, with opaque values: planning it anew takes several
 * times as long as running it. The ids are looked up first, so that rows before `offset` are skipped in the index alone.
 */
export function listByDay(
  db: Db,
  scope: DayOrdered,
  { offset, atMost, withDados }: { offset: number; atMost: number; withDados: boolean },
): Promise<ListedCaso[]> {
  const inOrder = (table: Sql) =>
    scope.order === 'asc'
      ? sql`order by ${table}.data_notificacao, ${table}.id`
      : sql`order by ${table}.data_notificacao desc, ${table}.id desc`
  const limits = sql`limit ${opaque(atMost, 'bigint')} offset ${opaque(offset, 'bigint')}`
  /** A range of one index, as far as the page can reach into it: without a limit of its own, all of it might be sorted. */
  const rangeOf = (place: Sql) => sql`(
    select c.id, c.data_notificacao from casos c where c.excluido_em is null and ${place} and ${isOfKind(scope)}
    ${inOrder(sql`c`)} limit ${opaque(offset + atMost, 'bigint')})`
  return db.value(
    prepared(
      asOneValue(sql`
        select c.id, ${listedColumns(withDados)} from casos c
        where c.id = any(array(select r.id from (${rangesOf(scope, rangeOf)}) r ${inOrder(sql`r`)} ${limits}))
        ${inOrder(sql`c`)}`),
    ),
  )
}

/** One range of an index for each place: PostgreSQL merges them in their order and reads no further than the page. */
function rangesOf({ lugares }: DayOrdered, rangeOf: (place: Sql) => Sql): Sql {
  if (lugares === null) return rangeOf(sql`true`)
  const ofPlace = ({ uf, codigo }: ScopePlace) =>
    codigo === null
      ? sql`c.estado_residencia = ${opaque(uf, 'text')}`
      : sql`c.municipio_residencia = ${opaque(codigo, 'integer')}`
  return join(lugares.map(ofPlace).map(rangeOf), ' union all ')
}

function isOfKind({ tipos, classes, period: { from, to }, sintomas }: DayOrdered): Sql {
  const given = (value: unknown, condition: () => Sql) => (value === null ? sql`true` : condition())
  return sql`
    ${given(tipos, () => sql`c.tipo_agravo = any(${opaque(tipos, 'text[]')})`)}
    and ${given(classes, () => sql`coalesce(c.classificacao_final, '') = any(${opaque(classes, 'text[]')})`)}
    and ${given(from, () => sql`c.data_notificacao >= ${opaque(from, 'date')}`)}
    and ${given(to, () => sql`c.data_notificacao <= ${opaque(to, 'date')}`)}
    and ${hasOnsetIn(sintomas, (day) => opaque(day, 'date'))}`
}
