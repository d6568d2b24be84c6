import type { Uf } from '../brasil/uf.ts'
import type { TipoAgravo } from '../domain/casos/enumeracoes.ts'
import { ESTADOS, type Regiao } from './population.ts'
import { createRandom, type Weighted, weighted } from './random.ts'

/** Epidemic model: size of each year, season by region, random variation by state. */

export const FIRST_YEAR = 2015
const TIPOS = ['dengue', 'chikungunya', 'zika'] as const satisfies TipoAgravo[]

/** Notified cases in thousands, 2015 and on; rounded, as the bulletins of those years have them (the last two are made up). */
const YEARS: Record<TipoAgravo, number[]> = {
  dengue: [1_690, 1_500, 250, 270, 1_560, 980, 540, 1_420, 1_650, 6_600, 1_700, 1_100],
  chikungunya: [38, 277, 185, 87, 178, 82, 96, 174, 158, 267, 130, 110],
  zika: [37, 216, 17, 8, 30, 7, 6, 9, 8, 6, 5, 4],
}

/** Week of the peak by region: early in the north, late on the coast of the northeast. */
const PEAK_WEEK: Record<Regiao, number> = { norte: 8, centro_oeste: 12, sudeste: 14, sul: 16, nordeste: 19 }
const SEASON_WEEKS = 5
/** Baseline outside the season, against the peak. */
const OFF_SEASON = 0.06

/** Incidence of a region relative to the country. */
const INCIDENCE: Record<TipoAgravo, Record<Regiao, number>> = {
  dengue: { norte: 0.5, nordeste: 0.5, sudeste: 1.3, sul: 1.1, centro_oeste: 2.2 },
  chikungunya: { norte: 0.6, nordeste: 2.2, sudeste: 0.8, sul: 0.1, centro_oeste: 0.8 },
  zika: { norte: 0.7, nordeste: 1.5, sudeste: 1, sul: 0.1, centro_oeste: 1.6 },
}

/** Sunday first: most units notify on working days. */
const WEEKDAYS = [0.35, 1.35, 1.25, 1.15, 1.1, 1.1, 0.5]

export interface Outbreak {
  tipo: TipoAgravo
  uf: Uf
}

const OUTBREAKS: Outbreak[] = TIPOS.flatMap((tipo) =>
  (Object.keys(ESTADOS) as Uf[]).map((uf) => ({ tipo, uf })),
)
const DAY_MS = 86_400_000

/** Weights of one day's notifications by disease and state. */
export type DayOutbreaks = Weighted<Outbreak>

/** Days from 1 January 2015 to `until`, in order. */
export function* daysUntil(until: string, seed: number): Generator<{ day: number; outbreaks: DayOutbreaks }> {
  const last = Math.min(dayOf(until), dayOf(`${FIRST_YEAR + YEARS.dengue.length - 1}-12-31`))
  const sizes = sizesOf(seed)
  for (let day = dayOf(`${FIRST_YEAR}-01-01`); day <= last; day++) {
    const date = new Date(day * DAY_MS)
    const year = date.getUTCFullYear()
    const week = (day - dayOf(`${year}-01-01`)) / 7
    const ofWeekday = WEEKDAYS[date.getUTCDay()] as number
    const seasons = Object.fromEntries(
      Object.entries(PEAK_WEEK).map(([regiao, peak]) => [regiao, seasonAt(week, peak)]),
    ) as Record<Regiao, number>
    const weights = OUTBREAKS.map(
      ({ uf }, i) => ofWeekday * seasons[ESTADOS[uf].regiao] * (sizes[year - FIRST_YEAR]?.[i] as number),
    )
    yield { day, outbreaks: weighted(OUTBREAKS, weights) }
  }
}

export const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Gaussian around the peak, on a circular year of 52.2 weeks. */
function seasonAt(week: number, peak: number): number {
  const apart = Math.abs(week - peak)
  const distance = Math.min(apart, 52.2 - apart) / SEASON_WEEKS
  return OFF_SEASON + Math.exp(-(distance ** 2) / 2)
}

/** Expected cases by year, disease and state, with log-normal variation. */
function sizesOf(seed: number): number[][] {
  const random = createRandom(seed)
  return YEARS.dengue.map((_, year) => {
    const shares = OUTBREAKS.map(({ tipo, uf }) => {
      const { populacao, regiao } = ESTADOS[uf]
      return populacao * INCIDENCE[tipo][regiao] * Math.exp(0.6 * random.normal())
    })
    return OUTBREAKS.map(({ tipo }, i) => {
      const whole = OUTBREAKS.reduce(
        (sum, one, j) => (one.tipo === tipo ? sum + (shares[j] as number) : sum),
        0,
      )
      return ((YEARS[tipo][year] as number) * (shares[i] as number)) / whole
    })
  })
}
