import type { Municipios } from '../../../brasil/municipios.ts'
import type { Db } from '../../../db/db.ts'
import { join, type Sql, sql } from '../../../db/sql.ts'
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
  /** Part of the total that lives where the population is known. */
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
  /** Parts of the cases, none of them in two. */
  filters: readonly Filter[]
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
  { filters, municipios, semPopulacao, sorotipos }: ContagemPedida,
): Promise<CasosDosIndicadores> {
  const columns = casoColumns(municipios)
  const casosWith = (select: Sql, condition: Sql) =>
    join(
      filters.map(
        (filter) =>
          sql`select ${select} from casos c where c.excluido_em is null and ${where(filter, columns)} and ${condition}`,
      ),
      ' union all ',
    )
  const withPopulation =
    semPopulacao.length === 0
      ? sql`count(*)`
      : sql`count(*) filter (where (municipio_residencia = any(${semPopulacao}::integer[])) is not true)`
  return db.one(sql`
    with grupos as materialized (
      select classificacao_final as classe, paciente_sexo as sexo, paciente_idade as idade,
        count(*) as total, ${withPopulation} as com_populacao,
        count(*) filter (where evolucao = 'obito') as obitos,
        count(*) filter (where evolucao = 'obito_em_investigacao') as investigados,
        count(*) filter (where hospitalizacao) as hospitalizados, count(hospitalizacao) as informados
      from (${casosWith(PERFIL, sql`true`)}) c
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
      ${sorotipos === null ? sql`'[]'::json` : ofSorotipos(casosWith(SOROTIPO, sql`c.sorotipo is not null`), sorotipos === 'semana')} as sorotipos`)
}

const listOf = (rows: Sql) => sql`coalesce(json_agg(${rows}), '[]')`

const PERFIL = sql`c.classificacao_final, c.paciente_sexo, c.paciente_idade, c.evolucao, c.hospitalizacao, c.municipio_residencia`
const SOROTIPO = sql`c.sorotipo, semana_sintomas(c.data_inicio_sintomas, c.data_notificacao) as semana`

function ofSorotipos(casos: Sql, byWeek: boolean): Sql {
  const semana = byWeek ? sql`case when isfinite(semana) then semana end` : sql`null::date`
  return sql`(select ${listOf(sql`sorotipos`)} from (
    select sorotipo, ${semana} as semana, count(*) as total from (${casos}) c
    group by 1, 2
    order by 2, 1
  ) sorotipos)`
}
