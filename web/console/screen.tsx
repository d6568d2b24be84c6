import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, Loading } from './ui/states.tsx'

interface Loadable<P> {
  load: () => Promise<{ default: ComponentType<P> }>
}

/** Screens whose code has come: they are drawn at once, without bars before them. */
const known = new Map<unknown, unknown>()

export async function loadScreen<P>(row: Loadable<P>): Promise<void> {
  known.set(row, (await row.load()).default)
}

/**
 * Loads the code of a screen. After an upgrade it may be gone: the page is then loaded again, once, at the same address. The mark of that is
 * in the history entry, which the next step leaves behind.
 */
export function Screen<P extends object>({ row, ...props }: { row: Loadable<P> } & P) {
  const [, setLoaded] = useState<Loadable<P> | null>(null)
  const [error, setError] = useState<unknown>(null)
  const Component = known.get(row) as ComponentType<P> | undefined
  useEffect(() => {
    if (Component !== undefined) return
    let isCurrent = true
    loadScreen(row).then(
      () => isCurrent && setLoaded(row),
      (failure) => {
        if (history.state?.reloaded) return isCurrent && setError(failure)
        history.replaceState({ reloaded: true }, '')
        location.reload()
      },
    )
    return () => {
      isCurrent = false
    }
  }, [row])
  if (error !== null) return <Failure error={error} onRetry={() => location.reload()} />
  return Component === undefined ? <Loading /> : <Component {...(props as unknown as P)} />
}
