import { negativeBinomialOf, negativeBinomialQuantile } from './negative-binomial.ts'
import { leveragesOf, type Observation, predicted, quasiPoisson, type Regression } from './quasi-poisson.ts'
import { sum } from './summary.ts'

/**
 * Flexible Farrington algorithm (Noufaily and others, 2013), as farringtonFlexible of the R package surveillance computes it: a
 * regression on five earlier years with a linear trend and ten seasonal levels; outbreaks among them are given little weight, and
 * the limit is a quantile of the distribution that the regression predicts.
 */
export interface Farrington {
  limite: number
  esperado: number
  alarme: boolean
}

const YEARS = 5
const HALF_WINDOW = 3
const WINDOW = 2 * HALF_WINDOW + 1
/** Seasonal levels: one for the weeks around the one that is judged, the others share the rest of the year. */
const PERIODS = 10
/** Weeks before the one that is judged that must not tell what is expected: an outbreak may have begun in them. */
const LEFT_OUT = 26
/** Residuals above it belong to past outbreaks. */
const MOST_RESIDUAL = 2.58
const PROBABILITY = 0.995
/** No alarm with fewer cases in the last weeks. */
const LEAST_CASES = 5
const LAST_WEEKS = 4
/** A negative binomial distribution needs more variance than mean; this near to 1 it is a Poisson distribution. */
const LEAST_DISPERSION = 1.0001
const WEEK_MS = 7 * 24 * 3_600_000
/** Of time: weeks by the hundred, so that the trend is of the size of the levels. */
const UNIT = 100

/**
 * The week at index `t` of a weekly series without gaps; null with fewer than five years before it. `inicio` is its first day,
 * `YYYY-MM-DD`: years do not have whole weeks, and the date says which week of an earlier year is the same one.
 */
export function farrington(series: readonly number[], t: number, inicio: string): Farrington | null {
  const sameWeeks = Array.from({ length: YEARS + 1 }, (_, years) => t - weeksBack(inicio, years))
  if ((sameWeeks[YEARS] as number) < 0) return null
  const baseline = baselineOf(series, sameWeeks)
  const expected = withTrend(baseline) ?? expectedOf(baseline, withoutTrend)
  if (expected === null) return null
  const { mean, dispersion } = expected
  const limite = negativeBinomialQuantile(negativeBinomialOf(mean, dispersion * mean), PROBABILITY)
  const enoughCases = sum(series.slice(t - LAST_WEEKS + 1, t + 1)) >= LEAST_CASES
  return { limite, esperado: mean, alarme: enoughCases && (series[t] as number) > limite }
}

/** Weeks from a date back to the week that begins nearest to the same day some years earlier. */
function weeksBack(inicio: string, years: number): number {
  const day = new Date(`${inicio}T00:00:00Z`)
  const earlier = Date.UTC(day.getUTCFullYear() - years, day.getUTCMonth(), day.getUTCDate())
  return Math.round((day.getTime() - earlier) / WEEK_MS)
}

/** Week of the past: where it lies on the line of time, 0 being the one that is judged, and its seasonal level. */
interface Week {
  cases: number
  time: number
  period: number
}

/** Weeks from the first window on, without the last ones; `sameWeeks` has the same week of each year, the latest first. */
function baselineOf(series: readonly number[], sameWeeks: readonly number[]): Week[] {
  const t = sameWeeks[0] as number
  const weeks: Week[] = []
  for (let year = YEARS; year >= 1; year--)
    for (const [week, period] of periodsBetween(sameWeeks[year] as number, sameWeeks[year - 1] as number)) {
      const cases = series[week]
      if (cases !== undefined && week < t - LEFT_OUT) weeks.push({ cases, time: (week - t) / UNIT, period })
    }
  return weeks
}

/** Level 0 for the window of one year; the weeks until the window of the next in parts as equal as whole weeks can be. */
function periodsBetween(centre: number, next: number): [week: number, period: number][] {
  const between = next - centre - WINDOW
  const [length, rest] = [Math.floor(between / (PERIODS - 1)), between % (PERIODS - 1)]
  const periods = Array.from({ length: PERIODS }, (_, period) =>
    Array<number>(period === 0 ? WINDOW : length + (period <= rest ? 1 : 0)).fill(period),
  )
  return periods.flat().map((period, i) => [centre - HALF_WINDOW + i, period])
}

type Predictors = (time: number, period: number) => number[]

const withoutTrend: Predictors = (_, period) =>
  Array.from({ length: PERIODS }, (__, level) => (level === period ? 1 : 0))

const withLinearTrend: Predictors = (time, period) => [...withoutTrend(time, period), time]

interface Expected {
  mean: number
  dispersion: number
}

/** A trend that leads beyond everything that was observed is no trend: null. */
function withTrend(baseline: readonly Week[]): Expected | null {
  const expected = expectedOf(baseline, withLinearTrend)
  const most = Math.max(...baseline.map(({ cases }) => cases))
  return expected !== null && expected.mean <= most ? expected : null
}

function expectedOf(baseline: readonly Week[], predictors: Predictors): Expected | null {
  const observations = baseline.map(({ cases, time, period }) => ({
    response: cases,
    predictors: predictors(time, period),
    weight: 1,
  }))
  const first = quasiPoisson(observations)
  const second = first && quasiPoisson(reweighted(observations, first))
  return (
    second && {
      mean: predicted(second.coefficients, predictors(0, 0)),
      dispersion: dispersionOf(second),
    }
  )
}

const dispersionOf = ({ dispersion }: Regression): number => Math.max(dispersion, LEAST_DISPERSION)

/** Weighs past outbreaks down by the square of their residual; all weights together are the number of weeks. */
function reweighted(observations: readonly Observation[], regression: Regression): Observation[] {
  const weights = residualsOf(observations, regression).map((residual) =>
    residual > MOST_RESIDUAL ? residual ** -2 : 1,
  )
  const scale = observations.length / sum(weights)
  return observations.map((observation, i) => ({ ...observation, weight: scale * (weights[i] as number) }))
}

/** Standardised Anscombe residuals. */
function residualsOf(observations: readonly Observation[], regression: Regression): number[] {
  const dispersion = dispersionOf(regression)
  const leverages = leveragesOf(observations, regression)
  return observations.map(({ response }, i) => {
    const mu = regression.means[i] as number
    const raw = 1.5 * (response ** (2 / 3) * mu ** (-1 / 6) - Math.sqrt(mu))
    return raw / Math.sqrt(dispersion * (1 - (leverages[i] as number)))
  })
}
