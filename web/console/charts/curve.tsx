import { max } from 'd3-array'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { bandPath, linePath } from '../../../src/charts/paths.ts'
import {
  arrivingFrom,
  begunOf,
  type Frame,
  labelledSteps,
  nearestStep,
  stepScale,
  valueScale,
} from '../../../src/charts/scales.ts'
import { texts } from '../state/texts.ts'
import { StepAxis, ValueAxis } from './axis.tsx'
import { useWidth } from './width.ts'

/** A week of the curve, in the measure that is drawn. */
export interface CurveWeek {
  /** `SE 18`, and its days in words. */
  label: string
  /** Short, for the axis. */
  tick: string
  days: string
  inicio: string
  fim: string
  value: number
  before: number
  band: readonly [number, number] | null
  /** With what is still to arrive. */
  estimate: number
}

/** Further lines over the same weeks, and what they say of one of them. */
export interface CurveOverlay {
  /** Room for an axis at the right. */
  right: number
  draw(x: (step: number) => number, frame: Frame): ComponentChildren
  facts(at: number): readonly (readonly [name: string, value: string])[]
}

interface CurveProps {
  weeks: readonly CurveWeek[]
  today: string
  /** The whole in one sentence, instead of the drawing. */
  sentence: string
  /** Names of the three lines. */
  names: { now: string; before: string; band: string | null }
  /** False: there is no period before to draw. */
  isCompared: boolean
  format(value: number): string
  /** Weeks `from` to `to` become the period. */
  onChoose(from: number, to: number): void
  onOpen(week: number): void
  overlay?: CurveOverlay | undefined
}

const HEIGHT = 304
const frameOf = (width: number, right = 10): Frame => ({
  width,
  height: HEIGHT,
  top: 16,
  right,
  bottom: 28,
  left: 46,
})

/** Curve by week: this period, the one before, the middle half of the years before; the weeks that are still arriving are marked. */
export function Curve({
  weeks,
  today,
  sentence,
  names,
  isCompared,
  format,
  onChoose,
  onOpen,
  overlay,
}: CurveProps) {
  const [element, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | null>(null)
  const [anchor, setAnchor] = useState<number | null>(null)
  const t = texts().charts
  const chosen =
    at === null || anchor === null || at === anchor
      ? null
      : ([at, anchor].toSorted((a, b) => a - b) as [number, number])
  const stepOf = (event: { clientX: number }) => {
    const left = element.current?.getBoundingClientRect().left ?? 0
    return nearestStep(event.clientX - left, weeks.length, frameOf(width, overlay?.right))
  }
  const finish = () => {
    if (chosen !== null) onChoose(...chosen)
    setAnchor(null)
  }
  const move = (step: number, isChoosing: boolean) => {
    const from = at ?? (step > 0 ? -1 : weeks.length)
    setAnchor(isChoosing ? (anchor ?? at) : null)
    setAt(Math.min(weeks.length - 1, Math.max(0, from + step)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowRight: () => move(1, event.shiftKey),
      ArrowLeft: () => move(-1, event.shiftKey),
      Home: () => move(-weeks.length, event.shiftKey),
      End: () => move(weeks.length, event.shiftKey),
      Enter: () => (chosen === null ? at !== null && onOpen(at) : finish()),
      Escape: () => {
        setAt(null)
        setAnchor(null)
      },
    }
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const week = at === null ? undefined : weeks[at]
  const facts = (at !== null && overlay?.facts(at)) || []
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing */}
      <div
        ref={element}
        class="curve"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows walk through the weeks
        tabIndex={0}
        aria-label={t.walk}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setAt(stepOf(event))}
        onPointerLeave={() => {
          setAt(null)
          setAnchor(null)
        }}
        onPointerDown={(event) => setAnchor(stepOf(event))}
        onPointerUp={finish}
        onBlur={() => setAt(null)}
      >
        {width > 0 && (
          <Drawing
            weeks={weeks}
            today={today}
            frame={frameOf(width, overlay?.right)}
            {...{ sentence, isCompared, format, at, chosen, overlay }}
          />
        )}
        {week !== undefined && at !== null && (
          <Tip {...{ week, names, isCompared, format, facts }} isRight={at < weeks.length / 2} />
        )}
      </div>
      <p class="unseen" aria-live="polite">
        {week !== undefined &&
          [
            `${week.label}, ${names.now}: ${format(week.value)}`,
            ...facts.map((fact) => fact.join(': ')),
          ].join('; ')}
      </p>
    </>
  )
}

interface DrawingProps
  extends Pick<CurveProps, 'weeks' | 'today' | 'sentence' | 'isCompared' | 'format' | 'overlay'> {
  frame: Frame
  at: number | null
  chosen: [number, number] | null
}

function Drawing({ weeks, today, sentence, isCompared, format, frame, at, chosen, overlay }: DrawingProps) {
  const t = texts().charts
  const most =
    max(weeks, ({ value, before, band, estimate }) => Math.max(value, before, band?.[1] ?? 0, estimate)) ?? 0
  const { y, ticks } = valueScale(most, frame)
  const x = stepScale(weeks.length, frame)
  const half = (x(1) - x(0)) / 2
  const begun = begunOf(weeks, today)
  const arriving = arrivingFrom(weeks, today)
  const lineOf = (value: (week: CurveWeek) => number, from: number, to: number) =>
    linePath(weeks.slice(from, to).map((week, i) => [x(from + i), y(value(week))]))
  const hasEstimate = weeks.some(({ value, estimate }) => estimate > value)
  const band = bandPath(weeks.map(({ band }, i) => band && [x(i), y(band[0]), y(band[1])]))
  const inside = (value: number) => Math.min(frame.width - frame.right, Math.max(frame.left, value))
  const span = (from: number, to: number) => {
    const [left, right] = [inside(x(from) - half), inside(x(to) + half)]
    return {
      x: left,
      width: Math.max(0, right - left),
      y: frame.top,
      height: HEIGHT - frame.top - frame.bottom,
    }
  }
  return (
    <svg
      width={frame.width}
      height={HEIGHT}
      viewBox={`0 0 ${frame.width} ${HEIGHT}`}
      role="img"
      aria-label={sentence}
    >
      <ValueAxis frame={frame} ticks={ticks} at={y} label={format} />
      <StepAxis
        frame={frame}
        steps={labelledSteps(weeks.length, frame)}
        at={x}
        label={(step) => weeks[step]?.tick ?? ''}
      />
      <path class="band" d={band} />
      {arriving !== null && <rect class="arriving" {...span(arriving, begun - 1)} />}
      {overlay?.draw(x, frame)}
      {isCompared && <path class="before" d={lineOf((week) => week.before, 0, weeks.length)} />}
      <path class="now" d={lineOf((week) => week.value, 0, arriving === null ? begun : arriving + 1)} />
      {arriving !== null && (
        <>
          {hasEstimate && (
            <path
              class="now estimate"
              d={lineOf((week) => week.estimate, Math.max(0, arriving - 1), begun - 1)}
            />
          )}
          <path class="now partial" d={lineOf((week) => week.value, arriving, begun)} />
          <text
            class="arriving"
            x={Math.min(x(begun - 1), frame.width - frame.right)}
            y={frame.top - 4}
            text-anchor="end"
          >
            {hasEstimate ? t.estimated : t.arriving}
          </text>
        </>
      )}
      {chosen !== null && <rect class="chosen" {...span(...chosen)} />}
      {at !== null && (
        <g class="cursor">
          <path d={`M${x(at)} ${frame.top}V${HEIGHT - frame.bottom}`} />
          {at < begun && <circle cx={x(at)} cy={y(weeks[at]?.value ?? 0)} r="4.5" />}
        </g>
      )}
    </svg>
  )
}

interface TipProps extends Pick<CurveProps, 'names' | 'isCompared' | 'format'> {
  week: CurveWeek
  isRight: boolean
  facts: ReturnType<CurveOverlay['facts']>
}

function Tip({ week, names, isCompared, format, isRight, facts }: TipProps) {
  return (
    <div class={`tip ${isRight ? 'at-right' : 'at-left'}`} aria-hidden="true">
      <b>
        {week.label} · {week.days}
      </b>
      <dl>
        <dt>{names.now}</dt>
        <dd>
          <b>{format(week.value)}</b>
        </dd>
        {week.estimate > week.value && (
          <>
            <dt>{texts().painel.estimate}</dt>
            <dd>{format(week.estimate)}</dd>
          </>
        )}
        {isCompared && (
          <>
            <dt>{names.before}</dt>
            <dd>{format(week.before)}</dd>
          </>
        )}
        {week.band !== null && names.band !== null && (
          <>
            <dt>{names.band}</dt>
            <dd>
              {format(week.band[0])}–{format(week.band[1])}
            </dd>
          </>
        )}
        {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={value}>{value}</dd>])}
      </dl>
    </div>
  )
}
