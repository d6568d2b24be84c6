import { useState } from 'preact/hooks'
import { brokenPath } from '../../../src/charts/paths.ts'
import { type Frame, nearestStep, stepScale } from '../../../src/charts/scales.ts'
import { StepAxis, ValueAxis } from './axis.tsx'
import { runsOf, spanBox, spanScale } from './span-scale.ts'
import { useWidth } from './width.ts'

/** A period of the line. */
export interface LinePoint {
  label: string
  value: number | null
  /** Valid from another period: drawn dashed. */
  isCarried: boolean
  /** Lines of the tip below the label. */
  facts: readonly (readonly [name: string, value: string])[]
}

interface LineProps {
  points: readonly LinePoint[]
  /** Periods that are shaded behind the line. */
  shaded: readonly boolean[]
  /** The whole in one sentence, instead of the drawing. */
  sentence: string
  /** Keys and their steps. */
  walk: string
  format(value: number): string
  onOpen(at: number): void
}

const HEIGHT = 280
const LABEL_PX = 88
const frameOf = (width: number): Frame => ({
  ...{ width, height: HEIGHT },
  ...{ top: 14, right: 14, bottom: 28, left: 56 },
})

/** One series of one place: a line with gaps, carried values dashed, some periods shaded. */
export function LineChart({ points, shaded, sentence, walk, format, onOpen }: LineProps) {
  const [element, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const last = points.length - 1
  const stepOf = (event: { clientX: number }) => {
    const left = element.current?.getBoundingClientRect().left ?? 0
    return nearestStep(event.clientX - left, points.length, frameOf(width))
  }
  const move = (step: number) => setAt(Math.min(last, Math.max(0, (at ?? (step > 0 ? -1 : last + 1)) + step)))
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowRight: () => move(1),
      ArrowLeft: () => move(-1),
      Home: () => setAt(0),
      End: () => setAt(last),
      Enter: () => at !== null && onOpen(at),
      Escape: () => setAt(null),
    }
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const point = at === null ? undefined : points[at]
  const said =
    point === undefined ? '' : [point.label, ...point.facts.map((fact) => fact.join(': '))].join(', ')
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing */}
      <div
        ref={element}
        class="line-chart"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows walk through the periods
        tabIndex={0}
        aria-label={walk}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setAt(stepOf(event))}
        onPointerLeave={() => setAt(null)}
        onClick={(event) => onOpen(stepOf(event))}
        onBlur={() => setAt(null)}
      >
        {width > 0 && <Drawing {...{ points, shaded, sentence, format, at }} frame={frameOf(width)} />}
        {point !== undefined && at !== null && (
          <div class={`tip ${at < points.length / 2 ? 'at-right' : 'at-left'}`} aria-hidden="true">
            <b>{point.label}</b>
            <dl>
              {point.facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={value}>{value}</dd>])}
            </dl>
          </div>
        )}
      </div>
      <p class="unseen" aria-live="polite">
        {said}
      </p>
    </>
  )
}

interface DrawingProps extends Pick<LineProps, 'points' | 'shaded' | 'sentence' | 'format'> {
  frame: Frame
  at: number | null
}

function Drawing({ points, shaded, sentence, format, frame, at }: DrawingProps) {
  const { y, ticks } = spanScale(
    points.map(({ value }) => value),
    frame,
  )
  const x = stepScale(points.length, frame)
  const pathOf = (isDrawn: (point: LinePoint) => boolean) =>
    brokenPath(
      points.map((point, i) => (point.value === null || !isDrawn(point) ? null : [x(i), y(point.value)])),
    )
  const room = Math.max(1, Math.floor((frame.width - frame.left - frame.right) / LABEL_PX))
  const step = Math.max(1, Math.ceil(points.length / room))
  // The label of the first point stands to its right, within the frame.
  const steps = Array.from({ length: Math.ceil(points.length / step) }, (_, i) => i * step)
  const value = at === null ? null : (points[at]?.value ?? null)
  return (
    <svg
      width={frame.width}
      height={HEIGHT}
      viewBox={`0 0 ${frame.width} ${HEIGHT}`}
      role="img"
      aria-label={sentence}
    >
      {runsOf(shaded).map(([from, to]) => (
        <rect key={from} class="threshold" {...spanBox(from, to, x, frame)} />
      ))}
      <ValueAxis frame={frame} ticks={ticks} at={y} label={format} />
      <StepAxis
        frame={frame}
        steps={steps.filter((one) => x(one) + LABEL_PX / 2 <= frame.width)}
        at={(one) => Math.max(x(one), LABEL_PX / 2)}
        label={(one) => points[one]?.label ?? ''}
      />
      <path class="carried" d={pathOf(() => true)} />
      <path class="now" d={pathOf(({ isCarried }) => !isCarried)} />
      {at !== null && (
        <g class="cursor">
          <path d={`M${x(at)} ${frame.top}V${HEIGHT - frame.bottom}`} />
          {value !== null && <circle cx={x(at)} cy={y(value)} r="4.5" />}
        </g>
      )}
    </svg>
  )
}
