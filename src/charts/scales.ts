import { nice, ticks as ticksOf } from 'd3-array'

/** Room of a drawing: outer measures, and what the axes take of them. */
export interface Frame {
  width: number
  height: number
  top: number
  right: number
  bottom: number
  left: number
}

/** From zero, upwards; rounded so that the highest tick is a label. */
export function valueScale(most: number, { height, top, bottom }: Frame, wanted = 5) {
  const [, highest] = nice(0, most > 0 ? most : 1, wanted)
  const y = (value: number) => height - bottom - ((height - bottom - top) * value) / highest
  return { y, ticks: ticksOf(0, highest, wanted) }
}

/** Ticks that can be told apart by their labels: of few cases, the half ones would be labelled like whole ones. */
export function legibleTicks(ticks: readonly number[], label: (value: number) => string): readonly number[] {
  const isRepeating = new Set(ticks.map(label)).size < ticks.length
  return isRepeating ? ticks.filter(Number.isInteger) : ticks
}

/** Points of a series at equal distances, the first and the last at the edges. */
export function stepScale(count: number, { width, left, right }: Frame) {
  return (step: number) => left + ((width - left - right) * step) / Math.max(count - 1, 1)
}

/** Steps that are read easily in weeks. */
const STEPS = [1, 2, 4, 8, 13, 26, 52]
const LABEL_PX = 32

/** Every so many points that their labels stand apart. */
export function labelledSteps(count: number, { width, left, right }: Frame): number[] {
  const room = Math.max(1, Math.floor((width - left - right) / LABEL_PX))
  const step = STEPS.find((one) => count / one <= room) ?? Math.ceil(count / room)
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
}

/** The point nearest to a place on the axis. */
export function nearestStep(x: number, count: number, { width, left, right }: Frame): number {
  const at = Math.round(((x - left) / (width - left - right)) * Math.max(count - 1, 1))
  return Math.min(count - 1, Math.max(0, at))
}

const DAY_MS = 86_400_000
/** Weeks that notifications are still arriving for. */
export const ARRIVING_WEEKS = 4

/** First of the weeks that are still filling up, of those that have begun; null where all are old. */
export function arrivingFrom(
  weeks: readonly { inicio: string; fim: string }[],
  today: string,
): number | null {
  const limit = new Date(Date.parse(`${today}T00:00:00Z`) - ARRIVING_WEEKS * 7 * DAY_MS)
    .toISOString()
    .slice(0, 10)
  const first = weeks.findIndex(({ fim }) => fim > limit)
  return first === -1 || (weeks[first]?.inicio ?? '') > today ? null : first
}

/** Number of the weeks that have begun. */
export const begunOf = (weeks: readonly { inicio: string }[], today: string): number =>
  weeks.filter(({ inicio }) => inicio <= today).length
