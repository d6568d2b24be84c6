import type { ComponentType } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { LocationProvider, useLocation } from 'preact-iso/router'
import { isUnsaved, waiting } from './state/leaving.ts'

/** The router knows it without telling it in its types. */
type Step = ReturnType<typeof useLocation> & { wasPush: boolean }

/**
 * The address that frame and screen know: that of the browser, but for one that would lose what is not saved. It waits, whatever led to
 * it (link, key, palette, the browser's way back), so that no way has to be watched by itself. The price: until the answer the browser
 * shows the other address.
 */
export function HeldAddress({ Frame }: { Frame: ComponentType }) {
  const at = useLocation() as Step
  const shown = useRef<Step>(at)
  const isWaiting = isUnsaved.value && at.path !== shown.current.path
  if (!isWaiting) shown.current = at
  useLayoutEffect(() => {
    const { url } = shown.current
    const stay = () => {
      // Once: the step back takes a moment.
      waiting.value = null
      if (at.wasPush) at.back()
      else at.route(url)
    }
    waiting.value = isWaiting ? { stay } : null
  }, [at, isWaiting])
  return (
    <LocationProvider.ctx.Provider value={shown.current}>
      <Frame />
    </LocationProvider.ctx.Provider>
  )
}
