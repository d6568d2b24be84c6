import { nice, ticks as ticksOf } from 'd3-array'
import type { Frame } from '../../../src/charts/scales.ts'

/** Part of the highest value below which the lowest one does not move the foot of the scale from zero. */
const NEAR_ZERO = 0.4

/** Scale between the lowest and the highest value; temperatures have no zero to begin from, counts do. */
export function spanScale(values: readonly (number | null)[], { height, top, bottom }: Frame, wanted = 5) {
  const known = values.filter((value) => value !== null)
  const [least, most] = known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)]
  const isFromZero = least >= 0 && least <= NEAR_ZERO * most
  const room = least === most ? Math.max(1, Math.abs(most) / 10) : 0
  const [low, high] = nice(isFromZero ? 0 : least - room, most + room, wanted)
  const y = (value: number) => height - bottom - ((height - bottom - top) * (value - low)) / (high - low || 1)
  return { y, ticks: ticksOf(low, high, wanted) }
}

/** Runs of true values, as first and last index. */
export function runsOf(flags: readonly boolean[]): [from: number, to: number][] {
  const runs: [number, number][] = []
  flags.forEach((isOn, at) => {
    const last = runs.at(-1)
    if (!isOn) return
    if (last !== undefined && last[1] === at - 1) last[1] = at
    else runs.push([at, at])
  })
  return runs
}

/** Rectangle over the points from one to another, within the frame. */
export function spanBox(from: number, to: number, x: (step: number) => number, frame: Frame) {
  const half = (x(1) - x(0)) / 2
  const inside = (value: number) => Math.min(frame.width - frame.right, Math.max(frame.left, value))
  const [left, right] = [inside(x(from) - half), inside(x(to) + half)]
  const { top, height, bottom } = frame
  return { x: left, width: Math.max(0, right - left), y: top, height: height - top - bottom }
}
