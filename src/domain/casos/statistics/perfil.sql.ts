import type { Municipios } from '../../../brasil/municipios.ts'
import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import type { Filter } from '../../../filter.ts'
import { casoColumns } from '../reading/filters.sql.ts'

/** Cases of one final classification; `''`: none yet. */
export interface ClasseContada {
  classe: string
  total: number
  obitos: number
  /** Deaths whose cause is under investigation. */
  investigados: number
  hospitalizados: number
  /** Hospitalisation known, true or false. */
  informados: number
}

/** Probable cases of a sex and age band. */
export interface CelulaContada {
  sexo: string
  faixa: string
  total: number
  /** Those of them who live where the population is known. */
  comPopulacao: number
}

export interface SorotipoContado {
  sorotipo: string
  /** Sunday of the onset week; null: in no week, or the series was not asked for. */
  semana: string | null
  total: number
}

export interface CasosDosIndicadores {
  classes: ClasseContada[]
  celulas: CelulaContada[]
  sorotipos: SorotipoContado[]
}

export interface ContagemPedida {
  filter: Filter
  municipios: Municipios
  /** Municipalities without population. */
  semPopulacao: readonly number[]
  /** By week, as totals, or not at all. */
  sorotipos: 'semana' | 'total' | null
}

/**
 * Counts in one statement, hence of one snapshot. No counter has pairs of sex and age, hospitalisation unknown or deaths under
 * investigation: the cases of the period are read once, from the index that covers them, and the groups are added up from there.
 */
export function countIndicadores(
  db: Db,
  { filter, municipios, semPopulacao, sorotipos }: ContagemPedida,
): Promise<CasosDosIndicadores> {
  const ofFilter = sql`c.excluido_em is null and ${where(filter, casoColumns(municipios))}`
  const withPopulation =
    semPopulacao.length === 0
      ? sql`count(*)`
      : sql`count(*) filter (where (c.municipio_residencia = any(${semPopulacao}::integer[])) is not true)`
  return db.one(sql`
    with grupos as materialized (
      select c.classificacao_final as classe, c.paciente_sexo as sexo, c.paciente_idade as idade,
        count(*) as total, ${withPopulation} as com_populacao,
        count(*) filter (where c.evolucao = 'obito') as obitos,
        count(*) filter (where c.evolucao = 'obito_em_investigacao') as investigados,
        count(*) filter (where c.hospitalizacao) as hospitalizados, count(c.hospitalizacao) as informados
      from casos c where ${ofFilter}
      group by 1, 2, 3
    )
    select
      (select ${listOf(sql`classes`)} from (
        select coalesce(classe, '') as classe, sum(total) as total, sum(obitos) as obitos, sum(investigados) as investigados,
          sum(hospitalizados) as hospitalizados, sum(informados) as informados
        from grupos group by 1
      ) classes) as classes,
      (select ${listOf(sql`celulas`)} from (
        select sexo, faixa_etaria(idade) as faixa, sum(total) as total, sum(com_populacao) as "comPopulacao"
        from grupos where classe is distinct from 'descartado' and sexo in ('M', 'F') and idade is not null
        group by 1, 2
      ) celulas) as celulas,
      ${sorotipos === null ? sql`'[]'::json` : ofSorotipos(ofFilter, sorotipos === 'semana')} as sorotipos`)
}

const listOf = (rows: Sql) => sql`coalesce(json_agg(${rows}), '[]')`

/** Few cases have a serotype; an index of their own finds them. The planner guesses few of a list, and nearly all of `is not null`. */
function ofSorotipos(ofFilter: Sql, byWeek: boolean): Sql {
  const week = sql`semana_sintomas(c.data_inicio_sintomas, c.data_notificacao)`
  const semana = byWeek ? sql`case when isfinite(${week}) then ${week} end` : sql`null::date`
  return sql`(select ${listOf(sql`sorotipos`)} from (
    select c.dados->>'sorotipo' as sorotipo, ${semana} as semana, count(*) as total
    from casos c where ${ofFilter} and c.dados->>'sorotipo' in ('DENV1', 'DENV2', 'DENV3', 'DENV4')
    group by 1, 2
    order by 2, 1
  ) sorotipos)`
}
