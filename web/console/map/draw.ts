import { type Fit, type Place, type Point, SEAT_PX } from '../../../src/charts/outlines.ts'

/** How a place is filled: a colour of the scale, hatched (not known), or left empty (not asked for). */
export type Fill = number | 'unknown' | 'outside'

/** A circle over the outlines, for what has a point and no outline. */
export interface Bubble {
  id: string
  at: Point
  /** In pixels, on every map. */
  radius: number
}

export interface Colours {
  classes: string[]
  line: string
  hatch: string
  chosen: string
  bubble: string
}

/** Sharper than two dots for a pixel is not seen, and costs time. */
export const pixelRatio = () => Math.min(2, devicePixelRatio || 1)

/** One `Path2D` for each place, made once: the browser fills many small paths faster than few large ones. */
export function outlinesOf(places: readonly Place[]): Map<string, Path2D> {
  return new Map(
    places.map(({ id, rings }) => {
      const path = new Path2D()
      for (const ring of rings) {
        for (const [x, y] of ring) path.lineTo(x, y)
        path.closePath()
      }
      return [id, path]
    }),
  )
}

export interface Picture {
  places: readonly Place[]
  outlines: Map<string, Path2D>
  bubbles: readonly Bubble[]
  fit: Fit
  fillOf(id: string): Fill
  /** Outlined whatever is chosen. */
  marked: string | null
  colours: Colours
}

/** All places and bubbles: once for each change of the numbers, not for each move of the pointer. */
export function drawMap(canvas: HTMLCanvasElement, picture: Picture): void {
  const { fit, places, bubbles, colours } = picture
  const context = cleared(canvas, fit)
  if (context === null) return
  const px = 1 / fit.scale
  const hatch = hatchOf(context, colours, px)
  context.strokeStyle = colours.line
  context.lineWidth = 0.7 * px
  for (const place of places) {
    const path = pathOf(picture, place)
    const fill = picture.fillOf(place.id)
    if (fill !== 'outside') {
      context.fillStyle = fill === 'unknown' ? hatch : (colours.classes[fill] as string)
      context.fill(path, 'evenodd')
    }
    context.stroke(path)
  }
  outline(context, picture, picture.marked)
  context.strokeStyle = colours.bubble
  context.fillStyle = colours.bubble
  context.lineWidth = px
  for (const { at, radius } of bubbles) {
    const circle = circleOf(at, radius, fit)
    context.globalAlpha = 0.45
    context.fill(circle)
    context.globalAlpha = 1
    context.stroke(circle)
  }
}

/** The chosen one, on a canvas of its own over the map. */
export function drawChosen(canvas: HTMLCanvasElement, picture: Picture, chosen: string | null): void {
  const context = cleared(canvas, picture.fit)
  if (context !== null) outline(context, picture, chosen)
}

function cleared(canvas: HTMLCanvasElement, fit: Fit): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d')
  if (context === null) return null
  const ratio = pixelRatio()
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, canvas.width, canvas.height)
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
  context.stroke(
    bubble === undefined ? pathOf(picture, place as Place) : circleOf(bubble.at, bubble.radius, fit),
  )
}

/** A circle is as large on every map; outlines grow with it. */
function pathOf({ outlines, fit }: Picture, { id, rings, box: [x, y] }: Place): Path2D {
  if (rings.length > 0) return outlines.get(id) as Path2D
  return circleOf([x, y], SEAT_PX, fit)
}

function circleOf([x, y]: Point, radius: number, { scale }: Fit): Path2D {
  const circle = new Path2D()
  circle.arc(x, y, radius / scale, 0, 2 * Math.PI)
  return circle
}

const HATCH_PX = 5

function hatchOf(context: CanvasRenderingContext2D, { hatch }: Colours, px: number): CanvasPattern | string {
  const tile = document.createElement('canvas')
  tile.width = HATCH_PX
  tile.height = HATCH_PX
  const pen = tile.getContext('2d')
  if (pen === null) return hatch
  pen.strokeStyle = hatch
  pen.beginPath()
  pen.moveTo(0, HATCH_PX)
  pen.lineTo(HATCH_PX, 0)
  pen.stroke()
  const pattern = context.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix([px, 0, 0, px, 0, 0]))
  return pattern ?? hatch
}
