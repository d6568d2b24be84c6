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

/**
 * Condition on `a`, an audit record. A union of three indexes: one condition with `or` would read the whole audit. Cases are looked
 * up one by one (`offset 0` keeps it so): as a join, all cases of the country would be read.
 */
export function isPlacedWithin({ id, territorio, reach, municipios }: Reader): Sql {
  const contas = sql`array(select u.id from usuarios u where ${reachedBy(reach, sql`u.id`)})`
  return sql`a.id in (
    select r.id from auditoria r where r.ator_id = ${id}
    union
    select r.id from auditoria r where r.conta_id = any(${contas})
    union
    select r.id from auditoria r cross join lateral (
      select from casos c
      where c.id = r.caso_id and (c.responsavel_id = ${id} or ${isInside(territorio, municipios)}) offset 0) c
    where r.caso_id is not null)`
}
