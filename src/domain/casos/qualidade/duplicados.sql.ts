import { opaque, type Sql, sql } from '../../../db/sql.ts'

/** Days between two onsets of one illness. */
const MAX_DAYS = 15

/**
 * Pairs of cases `um`, `outro` of some municipalities that may be one: same disease, municipality, sex and birth date (one hash of
 * the four), onsets within 15 days, another number. Reads the index of the hashes once, in its order; few are found twice.
 */
export function paresIn(codigos: readonly number[]): Sql {
  return sql`
    select um.id as um_id, outro.id as outro_id,
      um.tipo_agravo, um.municipio_residencia, um.estado_residencia,
      um.unidade_cnes as um_cnes, outro.unidade_cnes as outro_cnes,
      um.data_notificacao as um_data, outro.data_notificacao as outro_data
    from (
      select c.municipio_residencia, c.duplicado_chave from casos c
      where c.excluido_em is null and c.duplicado_chave is not null
        and c.municipio_residencia = any(${opaque([...codigos], 'integer[]')})
      group by c.municipio_residencia, c.duplicado_chave having count(*) > 1
    ) k
    join casos um on um.municipio_residencia = k.municipio_residencia
      and um.duplicado_chave = k.duplicado_chave and um.excluido_em is null
    join casos outro on outro.municipio_residencia = k.municipio_residencia
      and outro.duplicado_chave = k.duplicado_chave and outro.excluido_em is null
      and outro.id > um.id and outro.numero_notificacao <> um.numero_notificacao
      and abs(outro.data_inicio_sintomas - um.data_inicio_sintomas) <= ${MAX_DAYS}`
}

/** Ids of the cases of those pairs. */
export const duplicadosIn = (codigos: readonly number[]): Sql => sql`
  select unnest(array[p.um_id, p.outro_id]) from (${paresIn(codigos)}) p`
