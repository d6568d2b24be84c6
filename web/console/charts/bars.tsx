import { max } from 'd3-array'
import { type Frame, valueScale } from '../../../src/charts/scales.ts'
import { ValueAxis } from './axis.tsx'
import { useWidth } from './width.ts'

/** A part of every bar: its class in the style sheet, and its name. */
export interface BarPart {
  key: string
  name: string
}

export interface Bar {
  label: string
  /** By the key of the part. */
  values: Record<string, number>
}

interface BarsProps {
  bars: readonly Bar[]
  parts: readonly BarPart[]
  sentence: string
  format(value: number): string
}

const HEIGHT = 230
const GAP = 0.3

/** Stacked bars with a legend; parts differ in lightness too. */
export function Bars({ bars, parts, sentence, format }: BarsProps) {
  const [element, width] = useWidth<HTMLDivElement>()
  const frame: Frame = { width, height: HEIGHT, top: 10, right: 4, bottom: 26, left: 46 }
  const totals = bars.map(({ values }) => parts.reduce((sum, { key }) => sum + (values[key] ?? 0), 0))
  const { y, ticks } = valueScale(max(totals) ?? 0, frame, 4)
  const room = (width - frame.left - frame.right) / Math.max(1, bars.length)
  /** Start of a part within its bar: on those below it. */
  const belowOf = (bar: Bar, part: number) =>
    parts.slice(0, part).reduce((sum, { key }) => sum + (bar.values[key] ?? 0), 0)
  return (
    <div ref={element} class="bars">
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={sentence}
        >
          <ValueAxis frame={frame} ticks={ticks} at={y} label={format} />
          {parts.map(({ key }, part) => (
            <g key={key} class={`part ${key}`}>
              {bars.map((bar, i) => {
                const from = y(belowOf(bar, part))
                const to = y(belowOf(bar, part + 1))
                const left = frame.left + room * (i + GAP / 2)
                return <rect key={i} x={left} width={room * (1 - GAP)} y={to} height={from - to} />
              })}
            </g>
          ))}
          <g class="axis">
            {bars.map(({ label }, i) => (
              <text key={i} x={frame.left + room * (i + 0.5)} y={HEIGHT - 6} text-anchor="middle">
                {label}
              </text>
            ))}
          </g>
        </svg>
      )}
      <ul class="legend">
        {parts.map(({ key, name }) => (
          <li key={key}>
            <i class={`part ${key}`} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
