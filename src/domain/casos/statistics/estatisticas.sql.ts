import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import { where } from '../../../db/where.ts'
import { type Consulta, contados, type Detalhe, overContados } from '../counters/counters.sql.ts'
import { CONFIRMADOS } from '../enumeracoes.ts'

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
  coalesce(sum(total), 0) as total,
  coalesce(sum(total) filter (where classe = any(${CONFIRMADOS})), 0) as confirmado,
  coalesce(sum(total) filter (where classe = 'descartado'), 0) as descartado,
  coalesce(sum(total) filter (where classe = 'inconclusivo'), 0) as inconclusivo,
  coalesce(sum(total) filter (where classe = ''), 0) as em_investigacao,
  coalesce(sum(hospitalizados), 0) as hospitalizados,
  coalesce(sum(obitos), 0) as obitos`

export interface Totais extends Contagem {
  /** The first and the last day of notification. */
  primeira: string | null
  ultima: string | null
}

/** For those who asked for a period, and need not be told which one it is. */
export async function countAll(db: Db, consulta: Consulta): Promise<Contagem> {
  const statement = overContados(
    consulta,
    { tempo: 'sempre' },
    (contados) => sql`select ${CONTAGEM} from (${contados}) f`,
  )
  return (await db.first<Contagem>(statement)) as Contagem
}

export async function countTotals(db: Db, consulta: Consulta): Promise<Totais> {
  const statement = consulta.recorte === null ? totalsOfCasos(consulta) : totalsOfContagens(consulta)
  return (await db.first<Totais>(statement)) as Totais
}

function totalsOfCasos(consulta: Consulta): Sql {
  return sql`
    select ${CONTAGEM}, min(inicio) as primeira, max(inicio) as ultima from (${contados(consulta)}) f`
}

/** The counters tell the months of the first and the last case, the cases themselves the days. */
function totalsOfContagens(consulta: Consulta): Sql {
  const { filter, columns } = consulta
  const inMonth = (direction: Sql, isPossible: Sql) => sql`(
    select c.data_notificacao from casos c
    where c.excluido_em is null and ${where(filter, columns)} and ${isPossible}
    order by c.data_notificacao ${direction}, c.id ${direction} limit 1)`
  return sql`
    with f as materialized (${contados(consulta)}),
    meses as (
      select date_trunc('month', inicio::timestamp)::date as mes from f group by 1 having sum(total) > 0
    )
    select ${CONTAGEM},
      ${inMonth(sql`asc`, sql`c.data_notificacao >= (select min(mes) from meses)`)} as primeira,
      ${inMonth(sql`desc`, sql`c.data_notificacao < (select max(mes) from meses) + interval '1 month'`)} as ultima
    from f`
}

/** What cases can be grouped by, and the counters that tell it. */
const CHAVES = {
  data_notificacao: { valor: sql`inicio`, detalhe: { tempo: 'dia' } },
  mes: { valor: sql`date_trunc('month', inicio::timestamp)::date`, detalhe: {} },
  data_inicio_sintomas: { valor: sql`nullif(valor, '')`, detalhe: { dimensao: 'data_inicio_sintomas' } },
  tipo_agravo: { valor: sql`tipo_agravo`, detalhe: { tempo: 'sempre' } },
  sexo: { valor: sql`nullif(valor, '')`, detalhe: { dimensao: 'sexo' } },
  faixa_etaria: { valor: sql`nullif(valor, '')`, detalhe: { dimensao: 'faixa_etaria' } },
  estado: { valor: sql`nullif(left(lugar, 2), '--')`, detalhe: { nivel: 'estado', tempo: 'sempre' } },
  municipio: { valor: sql`nullif(substr(lugar, 3)::integer, 0)`, detalhe: { nivel: 'municipio' } },
} satisfies Record<string, { valor: Sql; detalhe: Detalhe }>
export type Chave = keyof typeof CHAVES

export const FAIXAS_ETARIAS = ['<1', '1-4', '5-9', '10-14', '15-19', '20-39', '40-59', '60-79', '80+']

export function countBy<V extends string | number>(
  db: Db,
  chave: Chave,
  consulta: Consulta,
): Promise<(Contagem & { valor: V | null })[]> {
  const { valor, detalhe } = CHAVES[chave]
  return db.rows(
    overContados(
      consulta,
      detalhe,
      (contados) => sql`
        select ${valor} as valor, ${CONTAGEM} from (${contados}) f
        group by 1 having sum(total) <> 0 order by 1 nulls last`,
    ),
  )
}
