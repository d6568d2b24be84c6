import { arrivingFrom } from '../../../../src/charts/scales.ts'
import type { Painel } from '../../api/early.ts'

export type Semana = Painel['semanas'][number]

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
const changePct = (now: number, before: number) => (before === 0 ? null : (100 * (now - before)) / before)

/** Style of a change; one that rounds to nothing is neither. */
export const trendOf = (pct: number): 'rise' | 'fall' | 'same' =>
  Math.abs(pct) < 0.05 ? 'same' : pct > 0 ? 'rise' : 'fall'

export interface Comparison {
  pct: number
  /** The last week that is compared. */
  until: Semana
}

/** Against the same weeks a year before, without those that are still arriving: they would always look like a fall. */
export function comparisonOf(semanas: readonly Semana[], today: string): Comparison | null {
  const complete = semanas.slice(0, arrivingFrom(semanas, today) ?? semanas.length)
  const until = complete.at(-1)
  const pct = changePct(
    sum(complete.map(({ casos }) => casos)),
    sum(complete.map(({ anterior }) => anterior)),
  )
  return until === undefined || pct === null ? null : { pct, until }
}

export interface Recent {
  now: number
  before: number
  /** Null where there were none before. */
  pct: number | null
}

/** Four weeks against the four before, of three such blocks; the last one is left out while it is still arriving. */
export function recentOf(blocks: readonly number[], isArriving: boolean): Recent {
  const [before = 0, now = 0] = isArriving ? blocks : blocks.slice(1)
  return { now, before, pct: changePct(now, before) }
}

/** By code. Empty where days are the period, which cut the weeks. */
export function recentByPlace(
  { lugares: { codigo, recentes }, semanas }: Painel,
  periodo: { kind: string },
  today: string,
): Map<string, Recent> {
  if (periodo.kind === 'datas') return new Map()
  const isArriving = arrivingFrom(semanas, today) !== null
  return new Map(
    recentes.flatMap((blocks, i) =>
      blocks === null ? [] : [[codigo[i] as string, recentOf(blocks, isArriving)]],
    ),
  )
}

export interface Lugar {
  codigo: string | null
  casos: number
  incidencia: number | null
  hospitalizados: number
  obitos: number
  /** The last week with cases. */
  ultimaSemana: string | null
}

/** Columns of the answer as rows, in its order: the most cases first. */
export const lugaresOf = ({
  codigo,
  casos,
  incidencia,
  hospitalizados,
  obitos,
  ultima_semana,
}: Painel['lugares']): Lugar[] =>
  codigo.map((one, i) => ({
    codigo: one,
    casos: casos[i] as number,
    incidencia: incidencia[i] as number | null,
    hospitalizados: hospitalizados[i] as number,
    obitos: obitos[i] as number,
    ultimaSemana: ultima_semana[i] ?? null,
  }))

/** The country by municipalities instead of states. */
export const isDividedFurther = ({ lugar, lugares }: Painel): boolean =>
  lugar.nivel === 'pais' && lugares.nivel === 'municipio'

const DAY_MS = 86_400_000

/** Weeks of each month; a week belongs to the month of its Wednesday, as in the answer. */
export function weeksByMonth(semanas: readonly Semana[]): Map<string, Semana[]> {
  return Map.groupBy(semanas, ({ inicio }) =>
    new Date(Date.parse(`${inicio}T00:00:00Z`) + 3 * DAY_MS).toISOString().slice(0, 7),
  )
}

/** Week with the most cases; undefined without any. */
export const peakOf = (semanas: readonly Semana[]): Semana | undefined =>
  semanas.reduce<Semana | undefined>((peak, one) => (one.casos > (peak?.casos ?? 0) ? one : peak), undefined)

/** The weeks as a rate, by the residents that the answer divides by. */
export const perResidents = (value: number, populacao: number): number => (100_000 * value) / populacao
