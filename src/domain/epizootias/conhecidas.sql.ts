import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { counted, type RecorteDeEpizootias } from './contagens.sql.ts'

/**
 * Events with a day as they were known at a moment, by the Sunday of their week. An event that changed since is put together again
 * from its history: of each field the value before its first change after the moment. Events of an import that was undone are gone.
 * Price: it looks at the events themselves, where counters only know the present.
 */
export function countWeeksKnownAt(
  db: Db,
  recorte: RecorteDeEpizootias,
  moment: Date,
): Promise<{ domingo: string; eventos: number }[]> {
  return db.rows(sql`
    with entao as (
      select estado, municipio, suspeita, especie_grupo, classificacao, precisao_data as precisao, data_ocorrencia as inicio
      from epizootias where criado_em <= ${moment} and atualizado_em <= ${moment} and excluido_em is null
      union all
      select antes.estado, antes.municipio, antes.suspeita, antes.especie_grupo, antes.classificacao, antes.precisao_data,
        antes.data_ocorrencia
      from epizootias e
      cross join lateral (
        select coalesce(jsonb_object_agg(c.key, c.value -> 0 order by h.versao desc) filter (where c.key is not null), '{}') as campos,
          (array_agg(h.acao order by h.versao) filter (where h.acao in ('excluido', 'restaurado')))[1] as proxima
        from epizootias_historico h left join lateral jsonb_each(h.alteracoes) c on true
        where h.epizootia_id = e.id and h.data > ${moment}) h
      cross join lateral jsonb_populate_record(e, h.campos) antes
      where e.criado_em <= ${moment} and e.atualizado_em > ${moment}
        and coalesce(h.proxima = 'excluido', e.excluido_em is null))
    select inicio - extract(dow from inicio)::integer as domingo, count(*) as eventos
    from entao where precisao = 'dia' and ${counted(recorte)} group by 1`)
}
