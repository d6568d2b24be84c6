import type { Db } from '../../db/db.ts'
import { identifier, type Sql, sql } from '../../db/sql.ts'
import type { ScopePlace } from '../casos/counters/scope.ts'
import type { Precisao } from './campos.ts'

/** Counters of events: rows are differences, and a number is their sum. */

/** Events that are counted; null: all of them. */
export interface RecorteDeEpizootias {
  /** Null: the country. */
  lugares: readonly ScopePlace[] | null
  suspeita: string | null
  especie_grupo: string | null
  classificacao: string | null
  /** Days, both included. */
  inicio: string | null
  fim: string | null
}

export const AGREGACOES = ['semana', 'mes', 'ano'] as const
export type AgregacaoDeEpizootias = (typeof AGREGACOES)[number]
export const GRUPOS = ['estado', 'municipio', 'especie_grupo', 'suspeita', 'classificacao'] as const
export type GrupoDeEpizootias = (typeof GRUPOS)[number]

/** Condition on the columns of the counters. */
export function counted({
  lugares,
  suspeita,
  especie_grupo,
  classificacao,
  inicio,
  fim,
}: RecorteDeEpizootias): Sql {
  const given = (value: unknown, condition: () => Sql) => (value === null ? sql`true` : condition())
  const ufs = lugares?.filter(({ codigo }) => codigo === null).map(({ uf }) => uf)
  const codigos = lugares?.flatMap(({ codigo }) => codigo ?? [])
  return sql`
    ${given(lugares, () => sql`(estado = any(${ufs}::text[]) or municipio = any(${codigos}::integer[]))`)}
    and ${given(suspeita, () => sql`suspeita = ${suspeita}`)}
    and ${given(especie_grupo, () => sql`especie_grupo = ${especie_grupo}`)}
    and ${given(classificacao, () => sql`classificacao = ${classificacao}`)}
    and ${given(inicio, () => sql`inicio >= ${inicio}::date`)}
    and ${given(fim, () => sql`inicio <= ${fim}::date`)}`
}

const PERIODO: Record<AgregacaoDeEpizootias, Sql> = {
  semana: sql`inicio - extract(dow from inicio)::integer`,
  mes: sql`date_trunc('month', inicio)::date`,
  ano: sql`make_date(ano, 1, 1)`,
}

export interface ContagemDeEpizootias {
  precisao: Precisao
  /** First day of the week, month or year. */
  periodo: string
  /** Null without groups. */
  grupo: string | null
  eventos: number
  animais_mortos: number
}

/** By period, precision and group, in the order of time. */
export function countPeriods(
  db: Db,
  recorte: RecorteDeEpizootias,
  agregacao: AgregacaoDeEpizootias,
  grupo: GrupoDeEpizootias | null,
): Promise<ContagemDeEpizootias[]> {
  const value = grupo === null ? sql`null::text` : sql`${identifier(grupo)}::text`
  return db.rows(sql`
    select precisao, ${PERIODO[agregacao]} as periodo, ${value} as grupo, sum(eventos) as eventos,
      sum(animais_mortos) as animais_mortos
    from epizootias_contagens where ${counted(recorte)}
    group by 1, 2, 3 having sum(eventos) <> 0 order by 2, 1, 3`)
}

/** Events with a day, by the Sunday of their week. */
export function countWeeks(
  db: Db,
  recorte: RecorteDeEpizootias,
): Promise<{ domingo: string; eventos: number }[]> {
  return db.rows(sql`
    select ${PERIODO.semana} as domingo, sum(eventos) as eventos
    from epizootias_contagens where precisao = 'dia' and ${counted(recorte)} group by 1`)
}

/** Events with a day, by municipality. */
export function countMunicipios(
  db: Db,
  recorte: RecorteDeEpizootias,
): Promise<{ municipio: number; domingo: string; eventos: number }[]> {
  return db.rows(sql`
    select municipio, ${PERIODO.semana} as domingo, sum(eventos) as eventos
    from epizootias_contagens where precisao = 'dia' and ${counted(recorte)} group by 1, 2`)
}

/** By municipality and month `AAAA-MM`, which is null where only the year is known. */
export function countMonths(
  db: Db,
  recorte: RecorteDeEpizootias,
): Promise<{ municipio: number; mes: string | null; eventos: number; animais_mortos: number }[]> {
  return db.rows(sql`
    select municipio, case when precisao <> 'ano' then to_char(inicio, 'YYYY-MM') end as mes, sum(eventos) as eventos,
      sum(animais_mortos) as animais_mortos
    from epizootias_contagens where ${counted(recorte)}
    group by 1, 2 having sum(eventos) <> 0 order by 2, 1`)
}

const KEY = sql`estado, municipio, suspeita, especie_grupo, classificacao, precisao, inicio, ano`

/** Adds rows of the same key up. Rows that others append meanwhile stay; two of these at once share the work. */
export function foldEpizootias(db: Db): Promise<number> {
  return db.run(sql`
    with somas as (
      delete from epizootias_contagens where (${KEY}) in (
        select ${KEY} from epizootias_contagens group by ${KEY} having count(*) > 1 limit 20000)
      returning *
    )
    insert into epizootias_contagens (${KEY}, eventos, animais_mortos)
    select ${KEY}, sum(eventos), sum(animais_mortos) from somas group by ${KEY}
    having sum(eventos) <> 0 or sum(animais_mortos) <> 0`)
}

/** Of every event that counts. */
const EVENTOS = sql`
  select estado, municipio, suspeita, especie_grupo, classificacao, precisao_data,
    inicio_da_epizootia(data_ocorrencia, mes_ocorrencia, ano_ocorrencia), ano_ocorrencia, 1, coalesce(animais_mortos, 0)
  from epizootias where excluido_em is null`

export interface Diferenca {
  municipio: number
  inicio: string
  suspeita: string
  /** Missing in the counters. */
  eventos: number
  animais_mortos: number
}

/** Counters that differ from the events. */
export function listDiferencas(db: Db): Promise<Diferenca[]> {
  return db.rows(sql`
    select municipio, inicio, suspeita, sum(eventos) as eventos, sum(animais_mortos) as animais_mortos from (
      select ${KEY}, -eventos, -animais_mortos from epizootias_contagens
      union all ${EVENTOS}) todas (${KEY}, eventos, animais_mortos)
    group by ${KEY} having sum(eventos) <> 0 or sum(animais_mortos) <> 0 order by 1, 2, 3 limit 100`)
}

/** Counts all anew; meanwhile events can be read, not changed. */
export async function recountEpizootias(tx: Db): Promise<void> {
  await tx.run(sql`lock table epizootias in share mode`)
  await tx.run(sql`delete from epizootias_contagens`)
  await tx.run(sql`
    insert into epizootias_contagens (${KEY}, eventos, animais_mortos)
    select ${KEY}, sum(eventos), sum(animais_mortos) from (${EVENTOS}) todas (${KEY}, eventos, animais_mortos) group by ${KEY}`)
}
