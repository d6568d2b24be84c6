import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, Loading } from './ui/states.tsx'

interface Loadable<P> {
  load: () => Promise<{ default: ComponentType<P> }>
}

/**
 * Loads the code of a screen. After an upgrade it may be gone: the page is then loaded again, once, at the same address. The mark of that is
 * in the history entry, which the next step leaves behind.
 */
export function Screen<P extends object>({ row, ...props }: { row: Loadable<P> } & P) {
  const [loaded, setLoaded] = useState<{ of: Loadable<P>; Component: ComponentType<P> } | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isCurrent = true
    row.load().then(
      ({ default: Component }) => isCurrent && setLoaded({ of: row, Component }),
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
  if (loaded?.of !== row) return <Loading />
  return <loaded.Component {...(props as unknown as P)} />
}
