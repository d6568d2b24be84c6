import { type Fit, type Place, type Point, SEAT_PX } from '../../../src/charts/outlines.ts'

/** Fill of a place: a colour of the scale, hatched (not known), or none (not asked for). */
export type Fill = number | 'unknown' | 'outside'

/** A mark over the outlines, for what has a point and no outline. */
export interface Bubble {
  id: string
  at: Point
  /** In pixels, on every map. */
  radius: number
  /** Of a shape in a circle of 1; without any it is the circle. */
  corners?: readonly Point[]
}

export interface Colours {
  classes: string[]
  /** Each class above the first also has a texture of its own. */
  isTextured: boolean
  line: string
  hatch: string
  chosen: string
  bubble: string
}

/** Sharper than two dots for a pixel is not seen, and costs time. */
export const pixelRatio = () => Math.min(2, devicePixelRatio || 1)

/** One `Path2D` for each place, made once: the browser fills many small paths faster than few large ones. */
export function outlinesOf(places: readonly Place[]): Map<string, Path2D> {
  return new Map(places.map((place) => [place.id, ringsOf(place)]))
}

function ringsOf({ rings }: Place): Path2D {
  const path = new Path2D()
  for (const [first, ...rest] of rings) {
    if (first === undefined) continue
    // Not `lineTo`: a closed ring is drawn on from its beginning, and a state would have a line to each of its islands.
    path.moveTo(...first)
    for (const [x, y] of rest) path.lineTo(x, y)
    path.closePath()
  }
  return path
}

export interface Picture {
  places: readonly Place[]
  /** Lines over thousands of places, which have none of their own; empty: each place has its line. */
  borders: readonly Place[]
  outlines: Map<string, Path2D>
  bubbles: readonly Bubble[]
  fit: Fit
  fillOf(id: string): Fill
  /** Outlined whatever is chosen. */
  marked: string | null
  colours: Colours
}

/** Work of a slice: less than a frame, so that keys and pointer are answered meanwhile. */
const SLICE_MS = 8

/**
 * All places and bubbles: once for each change of the numbers, not for each move of the pointer. `inSlices`: a frame after the other, over
 * what is there (`over`) or on an empty canvas; the price is a map that is half old for some frames. Returns what gives the rest up.
 */
export function drawMap(
  canvas: HTMLCanvasElement,
  picture: Picture,
  { inSlices = false, over = false } = {},
): () => void {
  const context = prepared(canvas, picture.fit, over)
  if (context === null) return () => {}
  const drawing = drawn(context, picture)
  let frame = 0
  const slice = () => {
    const end = performance.now() + SLICE_MS
    while (!drawing.next().done)
      if (inSlices && performance.now() >= end) {
        frame = requestAnimationFrame(slice)
        return
      }
  }
  slice()
  return () => cancelAnimationFrame(frame)
}

/** A place at each step. */
function* drawn(context: CanvasRenderingContext2D, picture: Picture): Generator<void> {
  const { fit, places, borders, bubbles, colours } = picture
  const px = 1 / fit.scale
  const hatch = patternOf(context, HATCH, colours.hatch, px)
  const textures = colours.isTextured
    ? TEXTURES.map((texture) => patternOf(context, texture, colours.chosen, px))
    : []
  context.strokeStyle = colours.line
  context.lineWidth = 0.7 * px
  for (const place of places) {
    const path = pathOf(picture, place)
    const fill = picture.fillOf(place.id)
    if (fill !== 'outside') {
      context.fillStyle = fill === 'unknown' ? hatch : (colours.classes[fill] as string)
      context.fill(path, 'evenodd')
      const texture = fill === 'unknown' ? undefined : textures[fill - 1]
      if (texture !== undefined) {
        context.fillStyle = texture
        context.globalAlpha = TEXTURE_ALPHA
        context.fill(path, 'evenodd')
        context.globalAlpha = 1
      }
    }
    // Without lines there would be gaps between the fills.
    if (borders.length > 0) context.strokeStyle = context.fillStyle
    context.stroke(path)
    yield
  }
  context.strokeStyle = colours.line
  for (const border of borders) context.stroke(ringsOf(border))
  outline(context, picture, picture.marked)
  context.strokeStyle = colours.bubble
  context.fillStyle = colours.bubble
  context.lineWidth = px
  for (const bubble of bubbles) {
    const mark = markOf(bubble, fit)
    context.globalAlpha = 0.45
    context.fill(mark)
    context.globalAlpha = 1
    context.stroke(mark)
  }
}

/** The chosen one, on a canvas of its own over the map. */
export function drawChosen(canvas: HTMLCanvasElement, picture: Picture, chosen: string | null): void {
  const context = prepared(canvas, picture.fit, false)
  if (context !== null) outline(context, picture, chosen)
}

function prepared(canvas: HTMLCanvasElement, fit: Fit, over: boolean): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d')
  if (context === null) return null
  const ratio = pixelRatio()
  context.setTransform(1, 0, 0, 1, 0, 0)
  if (!over) context.clearRect(0, 0, canvas.width, canvas.height)
  context.setTransform(ratio * fit.scale, 0, 0, ratio * fit.scale, ratio * fit.x, ratio * fit.y)
  context.lineJoin = 'round'
  return context
}

function outline(context: CanvasRenderingContext2D, picture: Picture, id: string | null): void {
  const { places, bubbles, fit, colours } = picture
  const bubble = bubbles.find((one) => one.id === id)
  const place = places.find((one) => one.id === id)
  if (bubble === undefined && place === undefined) return
  context.strokeStyle = colours.chosen
  context.lineWidth = 2.2 / fit.scale
  context.stroke(bubble === undefined ? pathOf(picture, place as Place) : markOf(bubble, fit))
}

/** A circle is as large on every map; outlines grow with it. */
function pathOf({ outlines, fit }: Picture, { id, rings, box: [x, y] }: Place): Path2D {
  if (rings.length > 0) return outlines.get(id) as Path2D
  return circleOf([x, y], SEAT_PX, fit)
}

function markOf({ at, radius, corners = [] }: Bubble, fit: Fit): Path2D {
  if (corners.length === 0) return circleOf(at, radius, fit)
  const path = new Path2D()
  for (const [x, y] of corners)
    path.lineTo(at[0] + (x * radius) / fit.scale, at[1] + (y * radius) / fit.scale)
  path.closePath()
  return path
}

function circleOf([x, y]: Point, radius: number, { scale }: Fit): Path2D {
  const circle = new Path2D()
  circle.arc(x, y, radius / scale, 0, 2 * Math.PI)
  return circle
}

/** The colour stays to be seen. */
const TEXTURE_ALPHA = 0.45

/** A drawing that is repeated over a place. */
interface Texture {
  /** Size of the tile, in pixels. */
  size: number
  /** Lines of it, each from a point to another. */
  lines: [x: number, y: number, toX: number, toY: number][]
}

const HATCH: Texture = { size: 5, lines: [[0, 5, 5, 0]] }
/** Dots, stripes, a grid: the higher, the denser. */
const TEXTURES: Texture[] = [
  { size: 6, lines: [[2, 3, 4, 3]] },
  { size: 6, lines: [[0, 6, 6, 0]] },
  {
    size: 4,
    lines: [
      [0, 0, 4, 4],
      [0, 4, 4, 0],
    ],
  },
]

function patternOf(
  context: CanvasRenderingContext2D,
  { size, lines }: Texture,
  colour: string,
  px: number,
): CanvasPattern | string {
  const tile = document.createElement('canvas')
  tile.width = size
  tile.height = size
  const pen = tile.getContext('2d')
  if (pen === null) return colour
  pen.strokeStyle = colour
  pen.beginPath()
  for (const [x, y, toX, toY] of lines) {
    pen.moveTo(x, y)
    pen.lineTo(toX, toY)
  }
  pen.stroke()
  const pattern = context.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix([px, 0, 0, px, 0, 0]))
  return pattern ?? colour
}
