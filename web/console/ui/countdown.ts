import { useEffect, useState } from 'preact/hooks'

/** Whole seconds until the moment, counted down; 0 afterwards. */
export function useSecondsUntil(moment: Date | null): number {
  const secondsLeft = () =>
    moment === null ? 0 : Math.max(0, Math.ceil((moment.getTime() - Date.now()) / 1000))
  const [, tick] = useState(0)
  useEffect(() => {
    if (moment === null) return
    const timer = setInterval(() => {
      tick((count) => count + 1)
      if (secondsLeft() === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [moment])
  return secondsLeft()
}
