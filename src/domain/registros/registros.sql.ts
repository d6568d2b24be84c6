import type { Municipios } from '../../brasil/municipios.ts'
import type { Territorio } from '../../caller/territorio.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { isInside } from '../casos/reading/filters.ts'
import { type Reach, reachedBy } from '../territorios/alcance.ts'

interface Reader {
  id: number
  territorio: Territorio
  reach: Reach
  municipios: Municipios
}

/** Account that the record `a` is about: a session and a job belong to who acted, a membership to the member. */
const CONTA = sql`
  case a.recurso
    when 'usuario' then a.recurso_id::integer
    when 'grupo' then (a.detalhes ->> 'usuario_id')::integer
    when 'sessao' then a.ator_id
    when 'job' then a.ator_id
  end`
const CASO = sql`case a.recurso when 'caso' then a.recurso_id::integer end`

/**
 * Condition on `a`, an audit record, tried on the records that the request's filter left, newest first as far as the page needs.
 * The accounts within reach are hashed once; a case is looked up by its key (a scalar subquery, which PostgreSQL does not turn into
 * a scan of all cases). The price is one look-up for each record about a case that is counted.
 */
export function isPlacedWithin({ id, territorio, reach, municipios }: Reader): Sql {
  return sql`(a.ator_id = ${id}
    or ${CONTA} in (select u.id from usuarios u where ${reachedBy(reach, sql`u.id`)})
    or a.recurso = 'caso' and (
      select c.responsavel_id is not distinct from ${id} or ${isInside(territorio, municipios)}
        from casos c where c.id = ${CASO}))`
}
