import type { Db } from '../../../db/db.ts'
import { type GroupedWeek, INICIO_IMPLAUSIVEL, SEM_DATA, sumWeeks, type WeekQuery } from './semanas.sql.ts'

export {
  type DelayedCases,
  firstOnset,
  listDelays,
  listDelaysByPlace,
  listNotifiedYears,
  type NivelContado,
  type NotifiedQuery,
  type NotifiedYear,
  type PlaceDelays,
  type PlaceWeeks,
  sumWeeksByPlace,
  type WeekQuery,
} from './semanas.sql.ts'

/** Groups of final classifications; `em_investigacao` are the cases without one. */
export const GRUPOS = ['confirmado', 'descartado', 'inconclusivo', 'em_investigacao'] as const
export type Grupo = (typeof GRUPOS)[number]

export interface WeekCounts {
  total: number
  hospitalizados: number
  obitos: number
}

export type CountsByGrupo = Record<Grupo, WeekCounts>

export interface OnsetWeek {
  /** Its Sunday. */
  inicio: string
  casos: CountsByGrupo
}

export interface OnsetWeeks {
  /** Weeks of the period that have cases, in order. */
  semanas: OnsetWeek[]
  /** Cases in no week, whatever the period: without an onset, and with one that cannot be. */
  sem_data: CountsByGrupo
  inicio_implausivel: CountsByGrupo
  /** All cases, whatever the period; without one, the sum of the others. */
  total: number
}

/** Curve of a disease in some places together, by week of onset; exact, with changes that are still queued. */
export async function weeksOf(db: Db, query: WeekQuery): Promise<OnsetWeeks> {
  const { total, semanas } = await sumWeeks(db, query)
  const byWeek = new Map<string, CountsByGrupo>()
  for (const [inicio, grupo, ...counts] of semanas) {
    const casos = byWeek.get(inicio) ?? nothing()
    casos[grupo as Grupo] = toCounts(counts)
    byWeek.set(inicio, casos)
  }
  const take = (reserved: string) => {
    const casos = byWeek.get(reserved) ?? nothing()
    byWeek.delete(reserved)
    return casos
  }
  return {
    sem_data: take(SEM_DATA),
    inicio_implausivel: take(INICIO_IMPLAUSIVEL),
    total,
    semanas: [...byWeek].map(([inicio, casos]) => ({ inicio, casos })),
  }
}

type Numbers = GroupedWeek extends [string, string, ...infer Rest] ? Rest : never

const toCounts = ([total, hospitalizados, obitos]: Numbers): WeekCounts => ({ total, hospitalizados, obitos })

const nothing = (): CountsByGrupo =>
  Object.fromEntries(GRUPOS.map((grupo) => [grupo, toCounts([0, 0, 0])])) as CountsByGrupo

/** Sets of cases that curves and diagrams count: all, all but discarded ones, confirmed ones. */
export const CONJUNTOS = {
  notificados: GRUPOS,
  provaveis: GRUPOS.filter((grupo) => grupo !== 'descartado'),
  confirmados: ['confirmado'],
} as const satisfies Record<string, readonly Grupo[]>
export type Conjunto = keyof typeof CONJUNTOS

/** Numbers of a set of cases. */
export function countsIn(casos: CountsByGrupo, conjunto: Conjunto): WeekCounts {
  const grupos: readonly Grupo[] = CONJUNTOS[conjunto]
  const sum = (measure: keyof WeekCounts) => grupos.reduce((all, grupo) => all + casos[grupo][measure], 0)
  return { total: sum('total'), hospitalizados: sum('hospitalizados'), obitos: sum('obitos') }
}
