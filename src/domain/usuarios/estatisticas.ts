import type { Caller } from '../../caller/caller.ts'
import type { App } from '../app.ts'
import { reachOf } from '../territorios/alcance.ts'
import {
  countByDepartamento,
  countByEstado,
  countByGrupo,
  countContas,
  countLogins,
  type LoginCounts,
  type NamedCount,
  type UsuarioCounts,
} from './estatisticas.sql.ts'

export const PERIODOS = ['ultimos_7_dias', 'ultimos_30_dias', 'mes_atual'] as const
export type StatisticsPeriod = (typeof PERIODOS)[number]
export const AGRUPAMENTOS = ['estado', 'grupo', 'departamento'] as const
export type StatisticsGrouping = (typeof AGRUPAMENTOS)[number]

export interface UsuarioStatistics {
  inicio: Date
  fim: Date
  contagens: UsuarioCounts
  acessos: LoginCounts
  por_grupo: NamedCount[]
  por_estado: NamedCount[]
  /** Null unless grouped by department. */
  por_departamento: NamedCount[] | null
}

const DAY_MS = 86_400_000
const ZONE = 'America/Sao_Paulo'

/** Of the accounts that the caller reaches. */
export async function userStatistics(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  caller: Pick<Caller, 'id' | 'territorio'>,
  periodo: StatisticsPeriod,
  agrupar_por: StatisticsGrouping | null,
): Promise<UsuarioStatistics> {
  const fim = clock.now()
  const inicio = beginningOf(periodo, fim)
  const reach = reachOf(caller)
  const [contagens, acessos, por_grupo, por_estado] = await Promise.all([
    countContas(db, reach, inicio),
    countLogins(db, reach, inicio),
    countByGrupo(db, reach),
    countByEstado(db, reach),
  ])
  const por_departamento = agrupar_por === 'departamento' ? await countByDepartamento(db, reach) : null
  return { inicio, fim, contagens, acessos, por_grupo, por_estado, por_departamento }
}

/** Calendar months of Brasília; UTC-3 all year since 2019. */
export function beginningOf(periodo: StatisticsPeriod, now: Date): Date {
  if (periodo === 'ultimos_7_dias') return new Date(now.getTime() - 7 * DAY_MS)
  if (periodo === 'ultimos_30_dias') return new Date(now.getTime() - 30 * DAY_MS)
  const month = new Intl.DateTimeFormat('en-CA', {
    timeZone: ZONE,
    year: 'numeric',
    month: '2-digit',
  }).format(now)
  return new Date(`${month}-01T00:00:00-03:00`)
}
