import { quantile } from '../../../src/statistics/summary.ts'

/** Colours of a scale. */
export const CLASSES = 7
/** Per 100,000 inhabitants: the same cuts for every place and year, so that maps can be compared. */
const INCIDENCE_CUTS = [50, 150, 300, 500, 800, 1200]
/** Per cent: halved, a third less, about the same, half as many again, doubled. */
const CHANGE_CUTS = [-50, -33, -10, 10, 50, 100]

export type Measure = 'incidencia' | 'casos' | 'mudanca' | 'nivel'
/** Colours: `s` from few to many, `d` from less over the same to more, `n` the levels of alert. */
export type Scale = 's' | 'd' | 'n'
const LEVELS = 4

export function scaleOf(measure: Measure): Scale {
  if (measure === 'nivel') return 'n'
  return measure === 'mudanca' ? 'd' : 's'
}

/** Names of the colours in the style sheet. */
export const coloursIn = (scale: Scale): string[] =>
  Array.from({ length: scale === 'n' ? LEVELS : CLASSES }, (_, i) => `${scale}${i}`)

/** Lower limits of the classes above the first. Counts differ too much for fixed cuts: they are cut so that classes are about equally full. */
export function cutsOf(measure: Measure, values: readonly number[]): number[] {
  if (measure === 'incidencia') return INCIDENCE_CUTS
  if (measure === 'mudanca') return CHANGE_CUTS
  if (measure === 'nivel') return []
  const sorted = values.filter((value) => value > 0).toSorted((one, other) => one - other)
  if (sorted.length === 0) return []
  const cuts = Array.from({ length: CLASSES - 1 }, (_, i) =>
    niceCut(quantile(sorted, (i + 1) / CLASSES) as number),
  )
  return [...new Set(cuts)]
}

/** Two digits are enough to be read. */
function niceCut(value: number): number {
  if (value < 1) return 1
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.ceil(value / unit) * unit
}

/** Number of the class; null: not known. */
export function classOf(value: number | null, cuts: readonly number[]): number | null {
  if (value === null) return null
  return cuts.filter((cut) => value >= cut).length
}

/** Colour of a class: fewer classes than colours are spread over the whole scale, so that they differ as much as they can. */
export const colourOf = (klass: number, cuts: readonly number[]): number =>
  cuts.length === 0 ? 0 : Math.round((klass * (CLASSES - 1)) / cuts.length)

/** True where a map of rates would be of one colour: nothing reaches the second class. */
export const isFlat = (rates: readonly (number | null)[]): boolean =>
  rates.every((rate) => rate === null || rate < (INCIDENCE_CUTS[0] as number))
