import type { Db } from '../../../db/db.ts'
import { join, prepared, type Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import { countsOf, type Selection } from '../counters/counters.sql.ts'
import type { Grain } from '../counters/rows.sql.ts'

/** Cases of one classification, sex and age band; `''`: unknown. */
export interface GrupoDoPerfil {
  classe: string
  sexo: string
  faixa: string
  total: number
  obitos: number
  /** Deaths whose cause is under investigation. */
  investigados: number
  hospitalizados: number
  /** Hospitalisation known, true or false. */
  informados: number
}

/** Counts parts of the cases together, none of which is in two: from the counters by year of onset, else from the cases. */
export function countGrupos(
  db: Db,
  parts: readonly Selection[],
  time: 'ano' | 'ever',
): Promise<GrupoDoPerfil[]> {
  const grain: Grain = { dimension: 'perfil', time }
  const statement = sql`
    select classe, split_part(valor, '|', 1) as sexo, split_part(valor, '|', 2) as faixa, sum(total) as total, sum(obitos) as obitos,
      coalesce(sum(total) filter (where desfecho & 2 <> 0), 0) as investigados, sum(hospitalizados) as hospitalizados,
      coalesce(sum(total) filter (where desfecho & 1 <> 0), 0) as informados
    from (
      select classe, valor, split_part(valor, '|', 3)::integer as desfecho, sum(total) as total, sum(obitos) as obitos,
        sum(hospitalizados) as hospitalizados
      from (${join(
        parts.map((part) => countsOf(part, grain)),
        ' union all ',
      )}) c
      group by classe, valor
    ) perfis
    group by 1, 2, 3 having sum(total) <> 0`
  return db.rows(time === 'ano' ? prepared(statement) : statement)
}

export interface SorotipoContado {
  sorotipo: string
  /** Sunday of the onset week; null: in no week, or the series was not asked for. */
  semana: string | null
  total: number
}

/** The few cases with a serotype, from the index that has only these. */
export function countSorotipos(
  db: Db,
  parts: readonly Selection[],
  byWeek: boolean,
): Promise<SorotipoContado[]> {
  const semana = byWeek ? sql`case when isfinite(semana) then semana end` : sql`null::date`
  return db.rows(sql`
    select sorotipo, ${semana} as semana, count(*) as total
    from (${join(parts.map(withSorotipo), ' union all ')}) c
    group by 1, 2 order by 2, 1`)
}

const withSorotipo = ({ filter, columns }: Selection): Sql => sql`
  select c.sorotipo, semana_sintomas(c.data_inicio_sintomas, c.data_notificacao) as semana
  from casos c where c.excluido_em is null and ${where(filter, columns)} and c.sorotipo is not null`
