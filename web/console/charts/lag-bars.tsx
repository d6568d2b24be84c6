import { type Frame, valueScale } from '../../../src/charts/scales.ts'
import { ValueAxis } from './axis.tsx'
import { useWidth } from './width.ts'

/** A lag: the coefficient with its interval, and the one before the season was taken out. */
export interface LagBar {
  lag: number
  r: number | null
  low: number | null
  high: number | null
  raw: number | null
}

interface LagBarsProps {
  bars: readonly LagBar[]
  sentence: string
  axis: string
  format(value: number): string
}

const HEIGHT = 250
const TICKS = [-1, -0.5, 0, 0.5, 1]

/** Coefficients from −1 to 1 as bars from the middle, each with its interval; the raw ones broad and grey behind. */
export function LagBars({ bars, sentence, axis, format }: LagBarsProps) {
  const [element, width] = useWidth<HTMLDivElement>()
  const frame: Frame = { ...{ width, height: HEIGHT }, ...{ top: 10, right: 6, bottom: 44, left: 46 } }
  const { y: share } = valueScale(1, frame)
  const y = (value: number) => share((value + 1) / 2)
  const room = (width - frame.left - frame.right) / Math.max(1, bars.length)
  const every = Math.max(1, Math.ceil(24 / Math.max(1, room)))
  const box = (value: number) => ({ y: Math.min(y(0), y(value)), height: Math.abs(y(value) - y(0)) })
  return (
    <div ref={element} class="lag-bars">
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={sentence}
        >
          <ValueAxis frame={frame} ticks={TICKS} at={y} label={format} />
          {bars.map(({ lag, r, low, high, raw }, i) => {
            const left = frame.left + room * i
            const middle = left + room / 2
            return (
              <g key={lag}>
                {raw !== null && (
                  <rect class="raw" x={left + room * 0.08} width={room * 0.84} {...box(raw)} />
                )}
                {r !== null && <rect class="r" x={left + room * 0.28} width={room * 0.44} {...box(r)} />}
                {low !== null && high !== null && (
                  <path
                    class="interval"
                    d={`M${middle} ${y(low)}V${y(high)}M${middle - 3} ${y(low)}h6M${middle - 3} ${y(high)}h6`}
                  />
                )}
                {i % every === 0 && (
                  <text x={middle} y={HEIGHT - 26} text-anchor="middle">
                    {lag}
                  </text>
                )}
              </g>
            )
          })}
          <text x={(frame.left + width - frame.right) / 2} y={HEIGHT - 6} text-anchor="middle">
            {axis}
          </text>
        </svg>
      )}
    </div>
  )
}
