import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Calls back once the present state has been painted; in a hidden page, which is never painted, soon. */
export function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    timer = setTimeout(act)
  }
  const frame = document.hidden ? null : requestAnimationFrame(soon)
  if (frame === null) soon()
  return () => {
    if (frame !== null) cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Holds a new value back until a frame without it has been painted: what answers a click comes first, what takes long to draw after it, a frame later. */
export function useAfterPaint<T>(latest: T, isAtOnce = false): T {
  const drawn = useRef(latest)
  const [, draw] = useState({})
  const isLate = drawn.current !== latest && !isAtOnce
  useLayoutEffect(() => {
    if (!isLate) {
      drawn.current = latest
      return
    }
    return afterPaint(() => {
      drawn.current = latest
      draw({})
    })
  }, [latest, isLate])
  return isLate ? drawn.current : latest
}

/** Hands a new value to one part of a screen after the other, a painted frame each: no long task, and the first parts are seen first. */
export function useInTurn<T>(latest: T, parts: number): readonly (T | null)[] {
  const [shown, setShown] = useState<readonly (T | null)[]>(() => Array.from({ length: parts }, () => null))
  const next = shown.findIndex((one) => one !== latest)
  // An effect would come after a frame itself: two frames for each part.
  useLayoutEffect(() => {
    if (next === -1) return
    return afterPaint(() => setShown((before) => before.with(next, latest)))
  }, [next, latest])
  return shown
}

const FIRST = 16
const STEP = 60

/** The first of many rows at once, the rest in turns: a table of 853 municipalities would take a slow computer half a second. Another `key` begins anew. */
export function useGrowing<T>(rows: readonly T[], key = ''): readonly T[] {
  const [grown, setGrown] = useState({ key, count: FIRST })
  const count = grown.key === key ? grown.count : FIRST
  const isWhole = count >= rows.length
  useEffect(() => {
    if (isWhole) return
    return afterPaint(() => setGrown({ key, count: count + STEP }))
  }, [key, count, isWhole])
  return isWhole ? rows : rows.slice(0, count)
}
