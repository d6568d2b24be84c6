import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { where } from '../../db/where.ts'
import type { Filter } from '../../filter.ts'
import { CONFIRMADOS } from './enumeracoes.ts'
import type { CasoColumns } from './filtros.sql.ts'

/** Everything that is counted of a set of cases. */
export interface Contagem {
  total: number
  confirmado: number
  descartado: number
  inconclusivo: number
  em_investigacao: number
  hospitalizados: number
  obitos: number
}

const CONTAGEM = sql`
  count(*) as total,
  count(*) filter (where c.classificacao_final = any(${CONFIRMADOS})) as confirmado,
  count(*) filter (where c.classificacao_final = 'descartado') as descartado,
  count(*) filter (where c.classificacao_final = 'inconclusivo') as inconclusivo,
  count(*) filter (where c.classificacao_final is null) as em_investigacao,
  count(*) filter (where c.hospitalizacao) as hospitalizados,
  count(*) filter (where c.evolucao = 'obito') as obitos`

export async function countTotals(
  db: Db,
  filter: Filter,
  columns: CasoColumns,
): Promise<Contagem & { primeira: string | null; ultima: string | null }> {
  const row = await db.first<Contagem & { primeira: string | null; ultima: string | null }>(sql`
    select ${CONTAGEM}, min(c.data_notificacao) as primeira, max(c.data_notificacao) as ultima
    from casos c where c.excluido_em is null and ${where(filter, columns)}`)
  return row as NonNullable<typeof row>
}

/** What cases can be grouped by. Ages in the bands that the Ministry's bulletins use. */
const CHAVES = {
  data_notificacao: sql`c.data_notificacao`,
  data_inicio_sintomas: sql`c.data_inicio_sintomas`,
  tipo_agravo: sql`c.tipo_agravo`,
  sexo: sql`c.paciente_sexo`,
  estado: sql`c.estado_residencia`,
  municipio: sql`c.municipio_residencia`,
  faixa_etaria: sql`case
    when c.paciente_idade < 1 then '<1'
    when c.paciente_idade < 5 then '1-4'
    when c.paciente_idade < 10 then '5-9'
    when c.paciente_idade < 15 then '10-14'
    when c.paciente_idade < 20 then '15-19'
    when c.paciente_idade < 40 then '20-39'
    when c.paciente_idade < 60 then '40-59'
    when c.paciente_idade < 80 then '60-79'
    when c.paciente_idade >= 80 then '80+' end`,
} satisfies Record<string, Sql>
export type Chave = keyof typeof CHAVES

export const FAIXAS_ETARIAS = ['<1', '1-4', '5-9', '10-14', '15-19', '20-39', '40-59', '60-79', '80+']

export function countBy<V extends string | number>(
  db: Db,
  chave: Chave,
  filter: Filter,
  columns: CasoColumns,
): Promise<(Contagem & { valor: V | null })[]> {
  return db.rows(sql`
    select ${CHAVES[chave]} as valor, ${CONTAGEM}
    from casos c where c.excluido_em is null and ${where(filter, columns)}
    group by 1 order by 1 nulls last`)
}
