import type { App } from '../app.ts'
import {
  type Acessos,
  type Contagens,
  countAcessos,
  countByDepartamento,
  countByEstado,
  countByGrupo,
  countContas,
  type Grupo,
} from './estatisticas.sql.ts'

export const PERIODOS = ['ultimos_7_dias', 'ultimos_30_dias', 'mes_atual'] as const
export type Periodo = (typeof PERIODOS)[number]
export const AGRUPAMENTOS = ['estado', 'grupo', 'departamento'] as const
export type Agrupamento = (typeof AGRUPAMENTOS)[number]

export interface Estatisticas {
  inicio: Date
  fim: Date
  contagens: Contagens
  acessos: Acessos
  por_grupo: Grupo[]
  por_estado: Grupo[]
  /** States and groups are always counted; departments when asked for. */
  por_departamento: Grupo[] | null
}

const DAY_MS = 86_400_000
const ZONE = 'America/Sao_Paulo'

export async function userStatistics(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  periodo: Periodo,
  agrupar_por: Agrupamento | null,
): Promise<Estatisticas> {
  const fim = clock.now()
  const inicio = beginningOf(periodo, fim)
  const [contagens, acessos, por_grupo, por_estado] = await Promise.all([
    countContas(db, inicio),
    countAcessos(db, inicio),
    countByGrupo(db),
    countByEstado(db),
  ])
  const por_departamento = agrupar_por === 'departamento' ? await countByDepartamento(db) : null
  return { inicio, fim, contagens, acessos, por_grupo, por_estado, por_departamento }
}

/** The month is the calendar's in Brasília; UTC-3 all year since 2019. */
export function beginningOf(periodo: Periodo, now: Date): Date {
  if (periodo === 'ultimos_7_dias') return new Date(now.getTime() - 7 * DAY_MS)
  if (periodo === 'ultimos_30_dias') return new Date(now.getTime() - 30 * DAY_MS)
  const month = new Intl.DateTimeFormat('en-CA', {
    timeZone: ZONE,
    year: 'numeric',
    month: '2-digit',
  }).format(now)
  return new Date(`${month}-01T00:00:00-03:00`)
}
