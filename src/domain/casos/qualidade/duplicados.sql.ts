import { opaque, type Sql, sql } from '../../../db/sql.ts'
import { ANY_TIME, type Period } from '../counters/scope.ts'
import type { Candidatos } from './selecao.ts'

/** Days between two onsets of one illness. */
const MAX_DAYS = 15

/** Days of notification, both included. */
export interface Notificados {
  data_inicio: string
  data_fim: string
}

/**
 * Pairs of cases `um`, `outro` of some municipalities that may be one: same disease, municipality, sex and birth date (one hash of
 * the four), onsets within 15 days, another number. Two steps: hashes with neighbouring onsets come from an index alone, and few
 * are left whose cases are looked up. `lateral` with `offset` keeps the planner from joining whole tables for them.
 */
export function paresIn(
  codigos: readonly number[],
  periodo: Notificados | null,
  sintomas: Period = ANY_TIME,
): Sql {
  const isCounted = (day: Sql) =>
    periodo === null
      ? sql`true`
      : sql`${day} between ${opaque(periodo.data_inicio, 'date')} and ${opaque(periodo.data_fim, 'date')}`
  return sql`
    select p.* from (
      select distinct f.municipio_residencia, f.duplicado_chave from (
        select c.municipio_residencia, c.duplicado_chave, c.data_inicio_sintomas - lag(c.data_inicio_sintomas) over (
          partition by c.municipio_residencia, c.duplicado_chave order by c.data_inicio_sintomas) as dias
        from casos c
        where c.excluido_em is null and c.duplicado_chave is not null and c.data_inicio_sintomas is not null
          and c.municipio_residencia = any(${opaque([...codigos], 'integer[]')}) and ${isCounted(sql`c.data_notificacao`)}
          and ${isNear(sintomas)}
      ) f where f.dias <= ${MAX_DAYS}
    ) k
    cross join lateral (
      select um.id as um_id, outro.id as outro_id,
        um.tipo_agravo, um.municipio_residencia, um.estado_residencia,
        um.unidade_cnes as um_cnes, outro.unidade_cnes as outro_cnes
      from casos um join casos outro on outro.municipio_residencia = um.municipio_residencia
        and outro.duplicado_chave = um.duplicado_chave and outro.excluido_em is null
        and outro.id > um.id and outro.numero_notificacao <> um.numero_notificacao
        and outro.data_inicio_sintomas between um.data_inicio_sintomas - ${MAX_DAYS}::integer
          and um.data_inicio_sintomas + ${MAX_DAYS}::integer
      where um.municipio_residencia = k.municipio_residencia and um.duplicado_chave = k.duplicado_chave
        and um.excluido_em is null and ${isCounted(sql`um.data_notificacao`)} and ${isCounted(sql`outro.data_notificacao`)}
      offset 0
    ) p`
}

/** Onset in a period, or so near to it that the other one of a pair may be. */
function isNear({ from, to }: Period): Sql {
  const since = sql`c.data_inicio_sintomas >= ${opaque(from, 'date')} - ${MAX_DAYS}::integer`
  const until = sql`c.data_inicio_sintomas <= ${opaque(to, 'date')} + ${MAX_DAYS}::integer`
  return sql`${from === null ? sql`true` : since} and ${to === null ? sql`true` : until}`
}

/** Ids of the cases of those pairs, whenever they were notified; all with such an onset, and perhaps others. */
export const duplicadosAmong = ({ codigos, sintomas }: Candidatos): Sql => sql`
  select unnest(array[p.um_id, p.outro_id]) from (${paresIn(codigos, null, sintomas)}) p`
