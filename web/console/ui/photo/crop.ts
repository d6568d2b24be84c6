/** A square of a picture: how close, and where its middle is between the edges, each from 0 to 1. */
export interface Crop {
  zoom: number
  horizontal: number
  vertical: number
}

export const CENTRED: Crop = { zoom: 1, horizontal: 0.5, vertical: 0.5 }
export const MAX_ZOOM = 4

interface Size {
  width: number
  height: number
}

/** The square in pixels of the picture. */
export function squareOf({ width, height }: Size, { zoom, horizontal, vertical }: Crop) {
  const size = Math.min(width, height) / zoom
  return { x: (width - size) * horizontal, y: (height - size) * vertical, size }
}

/** After the picture was dragged by a share of the square's side. */
export function dragged(picture: Size, crop: Crop, byX: number, byY: number): Crop {
  const { size } = squareOf(picture, crop)
  const moved = (at: number, by: number, length: number) =>
    length === size ? at : Math.min(1, Math.max(0, at - (by * size) / (length - size)))
  return {
    ...crop,
    horizontal: moved(crop.horizontal, byX, picture.width),
    vertical: moved(crop.vertical, byY, picture.height),
  }
}
