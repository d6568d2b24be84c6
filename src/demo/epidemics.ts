import type { TipoAgravo } from '../domain/casos/enumeracoes.ts'
import { ESTADOS, type Regiao, type Uf } from './population.ts'
import { createRandom, type Weighted, weighted } from './random.ts'

/** When and where people fall ill: sizes of the years, seasons by region, and what differs from state to state. */

export const PRIMEIRO_ANO = 2015
const TIPOS = ['dengue', 'chikungunya', 'zika'] as const satisfies TipoAgravo[]

/** Notified cases in thousands, 2015 and on; rounded, as the bulletins of those years have them (the last two are made up). */
const ANOS: Record<TipoAgravo, number[]> = {
  dengue: [1_690, 1_500, 250, 270, 1_560, 980, 540, 1_420, 1_650, 6_600, 1_700, 1_100],
  chikungunya: [38, 277, 185, 87, 178, 82, 96, 174, 158, 267, 130, 110],
  zika: [37, 216, 17, 8, 30, 7, 6, 9, 8, 6, 5, 4],
}

/** The week of the peak: the rains come early in the north, late on the coast of the northeast, and the south warms last. */
const PICO: Record<Regiao, number> = { norte: 8, centro_oeste: 12, sudeste: 14, sul: 16, nordeste: 19 }
const LARGURA_EM_SEMANAS = 5
/** Outside the season there is always somebody. */
const FORA_DA_ESTACAO = 0.06

/** How often people of a region are ill, against the country. */
const INCIDENCIA: Record<TipoAgravo, Record<Regiao, number>> = {
  dengue: { norte: 0.5, nordeste: 0.5, sudeste: 1.3, sul: 1.1, centro_oeste: 2.2 },
  chikungunya: { norte: 0.6, nordeste: 2.2, sudeste: 0.8, sul: 0.1, centro_oeste: 0.8 },
  zika: { norte: 0.7, nordeste: 1.5, sudeste: 1, sul: 0.1, centro_oeste: 1.6 },
}

/** Sunday first: most units notify on working days. */
const DIAS_DA_SEMANA = [0.35, 1.35, 1.25, 1.15, 1.1, 1.1, 0.5]

export interface Surto {
  tipo: TipoAgravo
  uf: Uf
}

const SURTOS: Surto[] = TIPOS.flatMap((tipo) => (Object.keys(ESTADOS) as Uf[]).map((uf) => ({ tipo, uf })))
const DAY_MS = 86_400_000

/** How much is notified on one day, and of what and where. */
export type Dia = Weighted<Surto>

/** The days from the first of 2015 to `until`, in order. */
export function* daysUntil(until: string, seed: number): Generator<{ dia: number; surtos: Dia }> {
  const last = Math.min(dayOf(until), dayOf(`${PRIMEIRO_ANO + ANOS.dengue.length - 1}-12-31`))
  const sizes = sizesOf(seed)
  for (let dia = dayOf(`${PRIMEIRO_ANO}-01-01`); dia <= last; dia++) {
    const date = new Date(dia * DAY_MS)
    const year = date.getUTCFullYear()
    const week = (dia - dayOf(`${year}-01-01`)) / 7
    const ofWeekday = DIAS_DA_SEMANA[date.getUTCDay()] as number
    const seasons = Object.fromEntries(
      Object.entries(PICO).map(([regiao, pico]) => [regiao, seasonAt(week, pico)]),
    ) as Record<Regiao, number>
    const weights = SURTOS.map(
      ({ uf }, i) => ofWeekday * seasons[ESTADOS[uf].regiao] * (sizes[year - PRIMEIRO_ANO]?.[i] as number),
    )
    yield { dia, surtos: weighted(SURTOS, weights) }
  }
}

export const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** A bell around the peak; the year is a circle of 52 weeks. */
function seasonAt(week: number, pico: number): number {
  const apart = Math.abs(week - pico)
  const distance = Math.min(apart, 52.2 - apart) / LARGURA_EM_SEMANAS
  return FORA_DA_ESTACAO + Math.exp(-(distance ** 2) / 2)
}

/** By year, for each disease and state: its share of the year, more here and less there. */
function sizesOf(seed: number): number[][] {
  const random = createRandom(seed)
  return ANOS.dengue.map((_, year) => {
    const shares = SURTOS.map(({ tipo, uf }) => {
      const { populacao, regiao } = ESTADOS[uf]
      return populacao * INCIDENCIA[tipo][regiao] * Math.exp(0.6 * random.normal())
    })
    return SURTOS.map(({ tipo }, i) => {
      const whole = SURTOS.reduce((sum, one, j) => (one.tipo === tipo ? sum + (shares[j] as number) : sum), 0)
      return ((ANOS[tipo][year] as number) * (shares[i] as number)) / whole
    })
  })
}
