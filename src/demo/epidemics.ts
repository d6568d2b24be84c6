import type { Uf } from '../brasil/uf.ts'
import type { AgravoConhecido } from '../domain/casos/enumeracoes.ts'
import { ESTADOS, type Regiao } from './population.ts'
import { createRandom, type Weighted, weighted } from './random.ts'

/** Epidemic model: size of each year, season by region, random variation by state, and outbreaks that are under way at the end. */

export const FIRST_YEAR = 2015
const TIPOS = ['dengue', 'chikungunya', 'zika'] as const satisfies AgravoConhecido[]

/** Notified cases in thousands, 2015 and on; rounded, as the bulletins of those years have them (the last two are made up). Later years repeat the last four. */
const YEARS: Record<AgravoConhecido, number[]> = {
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
const INCIDENCE: Record<AgravoConhecido, Record<Regiao, number>> = {
  dengue: { norte: 0.5, nordeste: 0.5, sudeste: 1.3, sul: 1.1, centro_oeste: 2.2 },
  chikungunya: { norte: 0.6, nordeste: 2.2, sudeste: 0.8, sul: 0.1, centro_oeste: 0.8 },
  zika: { norte: 0.7, nordeste: 1.5, sudeste: 1, sul: 0.1, centro_oeste: 1.6 },
}

/** Sunday first: most units notify on working days. */
const WEEKDAYS = [0.35, 1.35, 1.25, 1.15, 1.1, 1.1, 0.5]

const REPEATED = 4

export interface Outbreak {
  tipo: AgravoConhecido
  uf: Uf
  /** Of one city; anywhere in the state unless given. */
  municipio?: number
}

interface LocalOutbreak extends Required<Outbreak> {
  /** Of all cases. */
  share: number
  /** Its peak, in weeks before the last day; a negative one is still to come. */
  peak: number
  weeks: number
}

/** A dengue season that begins early around Recife, and chikungunya in Fortaleza past its peak: alerts, Rt and nowcast have something to tell. */
const UNDER_WAY: LocalOutbreak[] = [
  { tipo: 'dengue', uf: 'PE', municipio: 2611606, share: 0.004, peak: -3, weeks: 4 },
  { tipo: 'dengue', uf: 'PE', municipio: 2607901, share: 0.001, peak: -5, weeks: 4 },
  { tipo: 'dengue', uf: 'PE', municipio: 2609600, share: 0.0004, peak: -6, weeks: 4 },
  { tipo: 'dengue', uf: 'PE', municipio: 2604106, share: 0.0002, peak: -6, weeks: 3 },
  { tipo: 'chikungunya', uf: 'CE', municipio: 2304400, share: 0.002, peak: 6, weeks: 2.5 },
]
/** Cases of the largest one at most: with millions of cases a share of them would be half of a city. */
const MOST_LOCAL = 20_000

const OUTBREAKS: Outbreak[] = TIPOS.flatMap((tipo) =>
  (Object.keys(ESTADOS) as Uf[]).map((uf) => ({ tipo, uf })),
)
const DAY_MS = 86_400_000

/** Weights of one day's notifications by disease and place. */
export type DayOutbreaks = Weighted<Outbreak>

export interface EpidemicDay {
  day: number
  outbreaks: DayOutbreaks
}

/** Share of the notifications of a day that is typed in so many days later. */
export type Typed = (days: number) => number

/** Days from 1 January 2015 to `until`, in order, weighted by the cases of each that are typed in by then. */
export function daysUntil(
  { until, seed, casos }: { until: string; seed: number; casos: number },
  typed: Typed,
): EpidemicDay[] {
  const [first, last] = [dayOf(`${FIRST_YEAR}-01-01`), dayOf(until)]
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  const sizes = sizesOf(seed, Number(until.slice(0, 4)))
  const usual = days.map((day) => weightsOn(day, sizes).map((weight) => weight * typed(last - day)))
  const whole = usual.reduce((all, weights) => all + sum(weights), 0)
  const local = UNDER_WAY.map((outbreak) => localWeights(outbreak, { days, last, whole, casos, typed }))
  return days.map((day, i) => {
    const weights = [...(usual[i] as number[]), ...local.map((one) => one[i] as number)]
    return { day, outbreaks: weighted([...OUTBREAKS, ...UNDER_WAY], weights) }
  })
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

function weightsOn(day: number, sizes: readonly number[][]): number[] {
  const date = new Date(day * DAY_MS)
  const year = date.getUTCFullYear()
  const week = (day - dayOf(`${year}-01-01`)) / 7
  const ofWeekday = WEEKDAYS[date.getUTCDay()] as number
  const seasons = Object.fromEntries(
    Object.entries(PEAK_WEEK).map(([regiao, peak]) => [regiao, seasonAt(week, peak)]),
  ) as Record<Regiao, number>
  return OUTBREAKS.map(
    ({ uf }, i) => ofWeekday * seasons[ESTADOS[uf].regiao] * (sizes[year - FIRST_YEAR]?.[i] as number),
  )
}

interface Course {
  days: readonly number[]
  last: number
  whole: number
  casos: number
  typed: Typed
}

/** A wave of its own, as many cases of all as its share says. */
function localWeights(
  { share, peak, weeks }: LocalOutbreak,
  { days, last, whole, casos, typed }: Course,
): number[] {
  const wave = days.map((day) => {
    const ofWeekday = WEEKDAYS[new Date(day * DAY_MS).getUTCDay()] as number
    const distance = ((last - day) / 7 - peak) / weeks
    return ofWeekday * Math.exp(-(distance ** 2) / 2) * typed(last - day)
  })
  const size = whole * Math.min(share, MOST_LOCAL / casos)
  const waved = sum(wave)
  return wave.map((one) => (waved === 0 ? 0 : (size * one) / waved))
}

export const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Gaussian around the peak, on a circular year of 52.2 weeks. */
function seasonAt(week: number, peak: number): number {
  const apart = Math.abs(week - peak)
  const distance = Math.min(apart, 52.2 - apart) / SEASON_WEEKS
  return OFF_SEASON + Math.exp(-(distance ** 2) / 2)
}

/** Expected cases by year, disease and state, with log-normal variation. */
function sizesOf(seed: number, lastYear: number): number[][] {
  const random = createRandom(seed)
  const years = Array.from({ length: Math.max(0, lastYear - FIRST_YEAR + 1) }, (_, year) => year)
  const known = YEARS.dengue.length
  return years.map((year) => {
    const at = year < known ? year : known - REPEATED + ((year - known) % REPEATED)
    const shares = OUTBREAKS.map(({ tipo, uf }) => {
      const { populacao, regiao } = ESTADOS[uf]
      return populacao * INCIDENCE[tipo][regiao] * Math.exp(0.6 * random.normal())
    })
    return OUTBREAKS.map(({ tipo }, i) => {
      const whole = OUTBREAKS.reduce(
        (sum, one, j) => (one.tipo === tipo ? sum + (shares[j] as number) : sum),
        0,
      )
      return ((YEARS[tipo][at] as number) * (shares[i] as number)) / whole
    })
  })
}
