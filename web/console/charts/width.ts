import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Width of an element in pixels, so that letters and lines of a drawing keep their size on every screen. */
export function useWidth<E extends HTMLElement>(): [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const of = element.current
    if (of === null) return
    const measure = () => setWidth(Math.floor(of.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(of)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
