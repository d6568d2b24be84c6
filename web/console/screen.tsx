import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadCode } from './state/code.ts'
import { Awaited } from './ui/states.tsx'

interface Loadable<P> {
  load: () => Promise<{ default: ComponentType<P> }>
}

/** Screens whose code has come: they are drawn at once, without bars before them. */
const known = new Map<unknown, unknown>()

export async function loadScreen<P>(row: Loadable<P>): Promise<void> {
  known.set(row, (await row.load()).default)
}

/** Loads the code of a screen. */
export function Screen<P extends object>({ row, ...props }: { row: Loadable<P> } & P) {
  const [, setLoaded] = useState<Loadable<P> | null>(null)
  const [error, setError] = useState<unknown>(null)
  const Component = known.get(row) as ComponentType<P> | undefined
  useEffect(() => {
    if (Component !== undefined) return
    let isCurrent = true
    loadCode(() => loadScreen(row)).then(
      () => isCurrent && setLoaded(row),
      (failure) => isCurrent && setError(failure),
    )
    return () => {
      isCurrent = false
    }
  }, [row])
  return Component === undefined ? <Awaited error={error} /> : <Component {...(props as unknown as P)} />
}
