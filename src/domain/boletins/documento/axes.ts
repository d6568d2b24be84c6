import { type Frame, labelledSteps, legibleTicks } from '../../../charts/scales.ts'
import { INK, isNarrow, line, type Shape, type TextShape } from './drawing.ts'

/** Room of a chart of weeks, on a telephone or on paper. */
export function frameOf(width: number): Frame {
  return isNarrow(width)
    ? { width, height: 230, top: 26, right: 8, bottom: 40, left: 44 }
    : { width, height: 290, top: 28, right: 12, bottom: 42, left: 54 }
}

export const TEXT_SIZE = 12

export const label = (
  text: string,
  x: number,
  y: number,
  anchor: TextShape['anchor'],
  more: Partial<Pick<TextShape, 'fill' | 'bold' | 'size'>> = {},
): TextShape => ({ kind: 'text', x, y, text, anchor, size: TEXT_SIZE, fill: INK.soft, ...more })

interface Axes {
  frame: Frame
  ticks: readonly number[]
  y(value: number): number
  format(value: number): string
  /** Above the values. */
  title: string
  steps: number
  x(step: number): number
  stepLabel(step: number): string
  /** Below the weeks. */
  stepTitle: string
}

/** Lines across with their values, and weeks below. */
export function axes({ frame, ticks, y, format, title, steps, x, stepLabel, stepTitle }: Axes): Shape[] {
  const { width, height, top, left, right, bottom } = frame
  const legible = legibleTicks(ticks, format)
  return [
    ...legible.map((tick) =>
      line(`M${left} ${y(tick).toFixed(1)}H${width - right}`, tick === 0 ? INK.older : INK.axis, 1),
    ),
    ...legible.map((tick) => label(format(tick), left - 7, y(tick) + 4, 'end')),
    ...labelledSteps(steps, frame).map((step) =>
      label(stepLabel(step), x(step), height - bottom + 17, 'middle'),
    ),
    label(title, 0, top - 14, 'start'),
    label(stepTitle, width - right, height - 6, 'end'),
  ]
}
