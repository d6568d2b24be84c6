import { type Frame, legibleTicks } from '../../../src/charts/scales.ts'

interface ValueAxisProps {
  frame: Frame
  ticks: number[]
  at(value: number): number
  label(value: number): string
}

/** Lines across, with their values at the left. */
export function ValueAxis({ frame: { width, left, right }, ticks, at, label }: ValueAxisProps) {
  return (
    <g class="axis">
      {legibleTicks(ticks, label).map((tick) => (
        <g key={tick}>
          <path d={`M${left} ${at(tick)}H${width - right}`} />
          <text x={left - 7} y={at(tick) + 4} text-anchor="end">
            {label(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

interface StepAxisProps {
  frame: Frame
  steps: number[]
  at(step: number): number
  label(step: number): string
}

/** Labels below the points. */
export function StepAxis({ frame: { height }, steps, at, label }: StepAxisProps) {
  return (
    <g class="axis">
      {steps.map((step) => (
        <text key={step} x={at(step)} y={height - 6} text-anchor="middle">
          {label(step)}
        </text>
      ))}
    </g>
  )
}
