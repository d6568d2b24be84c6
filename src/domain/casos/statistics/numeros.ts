import type { Counts } from './estatisticas.sql.ts'

/** Arithmetic of counts. */

export interface CountsWithRates extends Counts {
  /** Percentages of the total, two decimals. */
  taxa_hospitalizacao: number
  taxa_obito: number
  /** Cases for each 100,000 residents, four decimals; null: residents unknown. Only where it was asked for. */
  incidencia?: number | null
}

export const NOTHING: Counts = {
  total: 0,
  confirmado: 0,
  descartado: 0,
  inconclusivo: 0,
  em_investigacao: 0,
  hospitalizados: 0,
  obitos: 0,
}

const COUNTED = Object.keys(NOTHING) as (keyof Counts)[]

export function sumOf(parts: readonly Counts[]): Counts {
  const sum = { ...NOTHING }
  for (const part of parts) for (const key of COUNTED) sum[key] += part[key]
  return sum
}

export function withRates(counted: Counts): CountsWithRates {
  const rate = (part: number) => (counted.total === 0 ? 0 : Math.round((part / counted.total) * 10_000) / 100)
  return {
    ...counted,
    taxa_hospitalizacao: rate(counted.hospitalizados),
    taxa_obito: rate(counted.obitos),
  }
}
