import type { Db } from '../../../db/db.ts'
import { join, opaque, prepared, type Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import { countsAndDays, countsOf, overCounts, type Selection } from '../counters/counters.sql.ts'
import { type Grain, isCasoOf } from '../counters/rows.sql.ts'
import { GRUPO_CONFIRMADO } from '../enumeracoes.ts'

/** Numbers of a set of cases. */
export interface Counts {
  total: number
  confirmado: number
  descartado: number
  inconclusivo: number
  em_investigacao: number
  hospitalizados: number
  obitos: number
}

const COUNTS = sql`
  coalesce(sum(total), 0) as total,
  coalesce(sum(total) filter (where classe = any(${GRUPO_CONFIRMADO})), 0) as confirmado,
  coalesce(sum(total) filter (where classe = 'descartado'), 0) as descartado,
  coalesce(sum(total) filter (where classe = 'inconclusivo'), 0) as inconclusivo,
  coalesce(sum(total) filter (where classe = ''), 0) as em_investigacao,
  coalesce(sum(hospitalizados), 0) as hospitalizados,
  coalesce(sum(obitos), 0) as obitos`

/** The same of sums, in the type that they have. */
const SUMS = sql`
  sum(total)::bigint as total, sum(confirmado)::bigint as confirmado, sum(descartado)::bigint as descartado,
  sum(inconclusivo)::bigint as inconclusivo, sum(em_investigacao)::bigint as em_investigacao,
  sum(hospitalizados)::bigint as hospitalizados, sum(obitos)::bigint as obitos`

/** The same of cases one by one. */
const CASE_COUNTS: readonly Sql[] = [
  sql`count(*)`,
  sql`count(*) filter (where c.classificacao_final = any(${GRUPO_CONFIRMADO}))`,
  sql`count(*) filter (where c.classificacao_final = 'descartado')`,
  sql`count(*) filter (where c.classificacao_final = 'inconclusivo')`,
  sql`count(*) filter (where coalesce(c.classificacao_final, '') = '')`,
  sql`count(*) filter (where c.hospitalizacao)`,
  sql`count(*) filter (where c.evolucao = 'obito')`,
]

export interface Totals extends Counts {
  /** The first and the last day of notification. */
  first_day: string | null
  last_day: string | null
}

export function countAll(db: Db, selection: Selection): Promise<Counts> {
  const statement = overCounts(
    selection,
    { time: 'ever' },
    (counts) => sql`select ${COUNTS} from (${counts}) f`,
  )
  return db.one(statement)
}

/** `countAll` with the first and the last day, which cost two index look-ups more. */
export function countTotals(db: Db, selection: Selection): Promise<Totals> {
  const statement = selection.scope === null ? totalsOfCasos(selection) : totalsOfCounters(selection)
  return db.one(statement)
}

function totalsOfCasos(selection: Selection): Sql {
  return sql`
    select ${COUNTS}, min(inicio) as first_day, max(inicio) as last_day from (${countsOf(selection)}) f`
}

/** Months of the first and the last case from the counters, their days from the cases of those months. */
function totalsOfCounters(selection: Selection): Sql {
  const { filter, columns } = selection
  const inMonth = (direction: Sql, isPossible: Sql) => sql`(
    select c.data_notificacao from casos c
    where c.excluido_em is null and ${where(filter, columns)} and ${isPossible}
    order by c.data_notificacao ${direction}, c.id ${direction} limit 1)`
  return sql`
    with f as materialized (${countsOf(selection)}),
    meses as (
      select date_trunc('month', inicio::timestamp)::date as mes from f group by 1 having sum(total) > 0
    )
    select ${COUNTS},
      ${inMonth(sql`asc`, sql`c.data_notificacao >= (select min(mes) from meses)`)} as first_day,
      ${inMonth(sql`desc`, sql`c.data_notificacao < (select max(mes) from meses) + interval '1 month'`)} as last_day
    from f`
}

/** Keys that cases can be grouped by, and the grain of counters that each needs. */
const GROUP_KEYS = {
  data_notificacao: { valor: sql`inicio`, grain: { time: 'day' } },
  mes: { valor: sql`date_trunc('month', inicio::timestamp)::date`, grain: {} },
  data_inicio_sintomas: { valor: sql`nullif(valor, '')`, grain: { dimension: 'data_inicio_sintomas' } },
  tipo_agravo: { valor: sql`tipo_agravo`, grain: { time: 'ever' } },
  classificacao: { valor: sql`coalesce(nullif(classe, ''), 'em_investigacao')`, grain: { time: 'ever' } },
  sexo: { valor: sql`nullif(valor, '')`, grain: { dimension: 'sexo' } },
  faixa_etaria: { valor: sql`nullif(valor, '')`, grain: { dimension: 'faixa_etaria' } },
  estado: { valor: sql`nullif(left(lugar, 2), '--')`, grain: { level: 'estado', time: 'ever' } },
  municipio: {
    valor: sql`nullif(substr(lugar, 3)::integer, 0)`,
    grain: { level: 'municipio', time: 'ever' },
  },
} satisfies Record<string, { valor: Sql; grain: Grain }>
export type GroupKey = keyof typeof GROUP_KEYS

/** Keys that no counter has, or pairs of keys: counted from the cases. */
const CASE_KEYS = {
  cnes: sql`c.unidade_cnes`,
  bairro: sql`c.municipio_residencia || ' ' || plain(c.bairro_residencia)`,
  'faixa_etaria*sexo': sql`coalesce(faixa_etaria(c.paciente_idade), '') || '*' || coalesce(c.paciente_sexo, '')`,
  'mes*classificacao': sql`to_char(c.data_notificacao, 'YYYY-MM') || '*' || coalesce(c.classificacao_final, '')`,
} satisfies Record<string, Sql>
export type CaseKey = keyof typeof CASE_KEYS

/** Numbers of the cases by a key; `exemplo` is one spelling of a bairro. */
export function countCasosBy(
  db: Db,
  key: CaseKey,
  { filter, columns }: Selection,
): Promise<(Counts & { valor: string | null; exemplo: string | null })[]> {
  return db.rows(sql`
    select valor, min(exemplo) as exemplo, ${COUNTS}
    from (
      select ${CASE_KEYS[key]} as valor, ${key === 'bairro' ? sql`c.bairro_residencia` : sql`null::text`} as exemplo,
        1 as total, coalesce(c.classificacao_final, '') as classe,
        coalesce(c.hospitalizacao, false)::integer as hospitalizados,
        coalesce(c.evolucao = 'obito', false)::integer as obitos
      from casos c where c.excluido_em is null and ${where(filter, columns)}
    ) f
    group by 1 order by 1 nulls last`)
}

export function countBy<V extends string | number>(
  db: Db,
  key: GroupKey,
  selection: Selection,
): Promise<(Counts & { valor: V | null })[]> {
  const { valor, grain } = GROUP_KEYS[key]
  const apart = key === 'mes' ? countsAndDays(selection) : null
  if (apart !== null) return db.rows(prepared(sumsOfMonths(apart)))
  return db.rows(
    overCounts(
      selection,
      grain,
      (counts) => sql`
        select ${valor} as valor, ${COUNTS} from (${counts}) f
        group by 1 having sum(total) <> 0 order by 1 nulls last`,
    ),
  )
}

/** Months of the counters with the cases of single days added to them, or taken off. */
function sumsOfMonths({ counts, days }: NonNullable<ReturnType<typeof countsAndDays>>): Sql {
  const ofMonths = sql`select ${GROUP_KEYS.mes.valor} as valor, ${COUNTS} from (${counts}) f group by 1`
  const ofDays = days.map(({ mes, scope, sign }) => {
    const numbers = CASE_COUNTS.map((number) => (sign === 1 ? number : sql`-${number}`))
    return sql`
      select ${opaque(mes, 'date')}, ${join(numbers, ', ')}
      from casos c where c.excluido_em is null and ${isCasoOf(scope)}`
  })
  return sql`
    select valor, ${SUMS} from (${join([ofMonths, ...ofDays], ' union all ')}) m
    group by 1 having sum(total) <> 0 order by 1 nulls last`
}

/** Cases by each value of keys of `dados`, whose lists count for each of their items; null: no value. And the number of cases. */
export async function countDados(
  db: Db,
  chaves: readonly string[],
  { filter, columns }: Selection,
): Promise<{ total: number; rows: (Counts & { campo: string; valor: string | null })[] }> {
  const rows = await db.rows<Counts & { campo: string | null; valor: string | null }>(sql`
    with escolhidos as materialized (
      select c.dados, 1 as total, coalesce(c.classificacao_final, '') as classe,
        coalesce(c.hospitalizacao, false)::integer as hospitalizados,
        coalesce(c.evolucao = 'obito', false)::integer as obitos
      from casos c where c.excluido_em is null and ${where(filter, columns)}
    )
    select n.chave as campo, v.valor, ${COUNTS}
    from escolhidos e
    cross join unnest(${chaves}::text[]) n (chave)
    cross join lateral json_array_elements_text(
      case when json_typeof(e.dados -> n.chave) = 'array' then e.dados -> n.chave
        else json_build_array(e.dados ->> n.chave) end) v (valor)
    group by 1, 2
    union all
    select null, null, ${COUNTS} from escolhidos
    order by 1, 2`)
  const total = rows.find(({ campo }) => campo === null)?.total ?? 0
  return {
    total,
    rows: rows.flatMap(({ campo, ...row }) => (campo === null ? [] : [{ campo, ...row }])),
  }
}

/** Fields whose values are counted one by one. */
const VALUES = {
  cnes: sql`c.unidade_cnes`,
  criterio_confirmacao: sql`c.criterio_confirmacao`,
  evolucao: sql`c.evolucao`,
  hospitalizacao: sql`c.hospitalizacao::text`,
  status: sql`c.status`,
  raca: sql`c.paciente_raca`,
  gestante: sql`c.paciente_gestante::text`,
  zona: sql`c.zona_residencia`,
} satisfies Record<string, Sql>
export type ValueKey = keyof typeof VALUES

export interface ValueCount {
  /** Null: not informed. */
  valor: string | null
  total: number
}

/** Cases by each value of a field that no counter has. */
export function countValues(db: Db, key: ValueKey, { filter, columns }: Selection): Promise<ValueCount[]> {
  return db.rows(sql`
    select ${VALUES[key]} as valor, count(*) as total
    from casos c where c.excluido_em is null and ${where(filter, columns)}
    group by 1`)
}
