import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { boxAround, type Fit, fitOf, type Place, type Point } from '../../../src/charts/outlines.ts'
import { preferences } from '../state/preferences.ts'
import { texts } from '../state/texts.ts'
import { coloursIn, type Scale } from './classes.ts'
import {
  type Bubble,
  type Colours,
  drawChosen,
  drawMap,
  type Fill,
  outlinesOf,
  type Picture,
  pixelRatio,
} from './draw.ts'
import { placeAt } from './topology.ts'

interface MapProps {
  places: readonly Place[]
  bubbles?: readonly Bubble[]
  /** Outlines over places that are too many and too small for lines of their own. */
  borders?: readonly Place[] | undefined
  /** Places that arrows go through, in the order of the table. */
  order: readonly string[]
  fillOf(id: string): Fill
  scale: Scale
  /** Under the pointer or reached by arrows, here and in the table. */
  chosen: Signal<string | null>
  /** The one place that the map is about: it fills the frame, and its neighbours are cut. */
  focus?: string | null
  /** The whole in one sentence, instead of the drawing. */
  sentence: string
  tipOf(id: string): ComponentChildren
  /** Down to a place, and up again. */
  onOpen(id: string): void
  onUp?: (() => void) | undefined
}

const HEIGHT = 300
/** Width of a tip, with its distance: it stays within the frame. */
const TIP_PX = 248
const NONE: readonly never[] = []

/** Places coloured by class. For eyes and pointers; the table has the same numbers, and arrows walk through both together. */
export function PlaceMap({
  places,
  bubbles = NONE,
  borders = NONE,
  order,
  fillOf,
  scale,
  chosen: chosenSignal,
  focus = null,
  sentence,
  tipOf,
  onOpen,
  onUp,
}: MapProps) {
  const frame = useRef<HTMLDivElement>(null)
  const map = useRef<HTMLCanvasElement>(null)
  const above = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const scheme = useScheme()
  const t = texts().map
  const chosen = chosenSignal.value
  const choose = (id: string | null) => {
    chosenSignal.value = id
  }
  const outlines = useMemo(() => outlinesOf(places), [places])
  const box = useMemo(() => {
    const only = places.filter(({ id, rings }) => id === focus && rings.length > 0)
    return boxAround(only.length === 0 ? places : only)
  }, [places, focus])
  const fit = fitOf(box, width, HEIGHT)
  const drawn = useRef<Picture | null>(null)

  useLayoutEffect(() => {
    const of = frame.current
    if (of === null) return
    const measure = () => setWidth(Math.floor(of.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(of)
    return () => observer.disconnect()
  }, [])
  const giveUp = useRef(() => {})
  const draw = (isPaper: boolean) => {
    giveUp.current()
    if (map.current === null || frame.current === null || width === 0) return
    const colours = coloursOf(frame.current, scale)
    const over = drawn.current?.places === places && drawn.current.fit.scale === fit.scale
    drawn.current = { places, borders, bubbles, outlines, fit, fillOf, marked: focus, colours }
    const inSlices = borders.length > 0 && !isPaper
    giveUp.current = drawMap(map.current, drawn.current, { inSlices, over: inSlices && over })
  }
  const reasons = [places, borders, bubbles, width, fillOf, scale, focus, scheme]
  useLayoutEffect(() => draw(false), reasons)
  useEffect(() => () => giveUp.current(), [])
  useLayoutEffect(() => {
    if (above.current !== null && drawn.current !== null) drawChosen(above.current, drawn.current, chosen)
  }, [...reasons, chosen])
  usePaper(frame, draw)

  const at = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) =>
    bubbleAt(bubbles, fit, [offsetX, offsetY])?.id ?? placeAt(places, fit, [offsetX, offsetY])?.id ?? null
  const walk = (step: number) => {
    const from = chosen === null ? (step > 0 ? -1 : 0) : order.indexOf(chosen)
    choose(order[(from + step + order.length) % order.length] ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => walk(1),
      ArrowRight: () => walk(1),
      ArrowUp: () => walk(-1),
      ArrowLeft: () => walk(-1),
      Enter: () => chosen !== null && onOpen(chosen),
      Escape: () => (chosen === null ? onUp?.() : choose(null)),
    }
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  const size = { width: width * pixelRatio(), height: HEIGHT * pixelRatio() }
  const spot = chosen === null ? undefined : spotOf(chosen, places, bubbles)
  const tipX = spot === undefined ? 0 : fit.x + fit.scale * spot[0]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: arrows walk through the places
    <div ref={frame} class="map" role="group" tabIndex={0} aria-label={t.walk} onKeyDown={onKeyDown}>
      <span class="swatches" aria-hidden="true">
        {SWATCHES.map((name) => (
          <i key={name} class={name} />
        ))}
      </span>
      <canvas
        ref={map}
        role="img"
        aria-label={sentence}
        {...size}
        onPointerMove={(event) => choose(at(event))}
        onPointerLeave={() => choose(null)}
        onClick={(event) => {
          const id = at(event)
          if (id !== null) onOpen(id)
        }}
      />
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus */}
      <canvas ref={above} class="above" aria-hidden="true" {...size} />
      {chosen !== null && spot !== undefined && width > 0 && (
        <div
          class={`tip map-tip ${tipX > width / 2 ? 'to-left' : ''}`}
          aria-live="polite"
          style={{
            left: `${tipX > width / 2 ? Math.max(TIP_PX, Math.min(width, tipX)) : Math.max(0, Math.min(width - TIP_PX, tipX))}px`,
            top: `${Math.min(HEIGHT - 90, Math.max(0, fit.y + fit.scale * spot[1]))}px`,
          }}
        >
          {tipOf(chosen)}
        </div>
      )}
    </div>
  )
}

/** Position of the tip of a place or bubble. */
function spotOf(id: string, places: readonly Place[], bubbles: readonly Bubble[]): Point | undefined {
  const bubble = bubbles.find((one) => one.id === id)
  if (bubble !== undefined) return bubble.at
  const place = places.find((one) => one.id === id)
  if (place === undefined) return undefined
  const [left, top, right] = place.box
  return [(left + right) / 2, top]
}

/** The smallest of those that lie over each other. */
function bubbleAt(bubbles: readonly Bubble[], fit: Fit, [x, y]: Point): Bubble | undefined {
  return bubbles
    .filter(
      ({ at, radius }) => Math.hypot(fit.x + fit.scale * at[0] - x, fit.y + fit.scale * at[1] - y) <= radius,
    )
    .toSorted((one, other) => one.radius - other.radius)[0]
}

const SWATCHES = [...(['s', 'd', 'n'] as const).flatMap(coloursIn), ...['line', 'hatch', 'chosen', 'bubble']]

/** Colours as the style sheet has them for this theme: a canvas knows no variables. */
function coloursOf(frame: HTMLElement, scale: Scale): Colours {
  const colour = (name: string) => {
    const swatch = frame.querySelector(`.swatches .${name}`)
    return swatch === null ? '' : getComputedStyle(swatch).backgroundColor
  }
  return {
    classes: coloursIn(scale).map(colour),
    isTextured: scale === 'n',
    line: colour('line'),
    hatch: colour('hatch'),
    chosen: colour('chosen'),
    bubble: colour('bubble'),
  }
}

/** Changes with the theme, chosen or of the system. */
function useScheme(): string {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)')
    const update = () => setDark(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return `${preferences.value.tema} ${isDark}`
}

/** Draws in the colours of paper before printing, and again afterwards. */
function usePaper(frame: { current: HTMLElement | null }, draw: (isPaper: boolean) => void): void {
  const latest = useRef(draw)
  latest.current = draw
  useEffect(() => {
    const scheme = (value: string) => () => {
      if (frame.current !== null) frame.current.style.colorScheme = value
      latest.current(value !== '')
    }
    const [before, after] = [scheme('light'), scheme('')]
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
}
